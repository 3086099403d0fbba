import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { build } from 'tsdown';
import manifest from '../../../sdk/package.json' with { type: 'json' };
import { cleanUpAfter } from '../../support/cleanup.ts';
import { startHttpServer } from '../../support/http-server.ts';

export const sdkFolder = fileURLToPath(new URL('../../../sdk/', import.meta.url));
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const html = `<!doctype html><link rel="icon" href="data:,"><script type="module" src="/script.js"></script>`;

/** Serves a page with a script that may import the published SDK. The script is created when it is first loaded. */
export async function servePage(script: () => string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-page-'));
  await build({ cwd: sdkFolder, outDir: join(folder, 'dist'), format: 'esm', dts: false, logLevel: 'warn' });
  let bundled: Promise<string> | undefined;
  const { url } = await startHttpServer((request, response) => {
    if (request.url !== '/script.js') {
      response.setHeader('Content-Type', 'text/html').end(html);
      return;
    }
    bundled ??= bundle(folder, script());
    void bundled.then((code) => response.setHeader('Content-Type', 'text/javascript').end(code));
  });
  cleanUpAfter(() => rm(folder, { recursive: true }));
  return url;
}

async function bundle(folder: string, script: string): Promise<string> {
  const input = join(folder, 'script.ts');
  await writeFile(input, script);
  const resolveId = (id: string): string | undefined => {
    const [, path] = /^@worktable\/sdk(.*)/.exec(id) ?? [];
    if (path === undefined) return undefined;
    // The cast holds because the scripts import only modules of the SDK.
    const entry = manifest.exports[`.${path}` as '.'];
    return join(folder, entry.import.default);
  };
  const plugins = [{ name: 'sdk', resolveId }];
  const bundling = await rolldown({ input, platform: 'browser', plugins, resolve: { modules: [modules] } });
  const { output } = await bundling.generate({ format: 'esm' });
  return output[0].code;
}
