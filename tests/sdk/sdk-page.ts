import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { cleanUpAfter } from '../support/cleanup.ts';
import { listen } from '../support/listen.ts';

export const sdkFolder = new URL('../../sdk/', import.meta.url);
const openapiFetch = createRequire(new URL('src/index.ts', sdkFolder)).resolve('openapi-fetch');

const html = `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">{"imports":{"@worktable/sdk":"/src/index.ts","openapi-fetch":"/openapi-fetch.mjs"}}</script>
<script type="module" src="/script.ts"></script>`;

/** Serves a page with a script, and the sources of the SDK, whose types a browser does not understand. */
export async function servePage(script: () => string): Promise<string> {
  const send = (response: ServerResponse, type: string, body: string): void => {
    response.setHeader('Content-Type', type).end(body);
  };
  const server = createServer(({ url = '/' }, response) => {
    const [path = ''] = url.split('?');
    if (path === '/') send(response, 'text/html', html);
    else if (path === '/openapi-fetch.mjs')
      send(response, 'text/javascript', readFileSync(openapiFetch.replace(/cjs$/, 'mjs'), 'utf8'));
    else {
      const source = path === '/script.ts' ? script() : readFileSync(new URL(`.${path}`, sdkFolder), 'utf8');
      send(response, 'text/javascript', stripTypeScriptTypes(source));
    }
  });
  const port = await listen(server);
  cleanUpAfter(() => server.close());
  return `http://127.0.0.1:${port}`;
}
