import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Context } from 'koa';
import { stringify } from 'yaml';
import document from '../generated/openapi.json' with { type: 'json' };
import { Problem } from '../contract/problem.ts';
import { shareFor } from '../lib/share-for.ts';
import { answerOnly, reading, type Pages } from './routes.ts';
import { strangers } from './place.ts';
import type { RequestState } from './request/request-state.ts';

/** Serves the contract and its reference page to everyone: `/openapi.json`, `/openapi.yaml` and `/docs`. */
export function referencePage(): Pages {
  return {
    '/': (ctx) => leadTo('docs', ctx),
    '/docs/': (ctx) => leadTo('../docs', ctx),
    '/openapi.json': pageOf('application/json', () => JSON.stringify(document)),
    '/openapi.yaml': pageOf('application/yaml', () => stringify(document, { aliasDuplicateObjects: false })),
    '/docs/openapi.json': pageOf('application/json', () => JSON.stringify(servedHere)),
    '/docs': pageOf('text/html', () => page),
    '/docs/start.js': pageOf('text/javascript', () => startScript),
    '/docs/swagger-ui.js': pageOf('text/javascript', () => swaggerFile('swagger-ui-bundle.js')),
    '/docs/swagger-ui.css': pageOf('text/css', () => swaggerFile('swagger-ui.css')),
    '/docs/favicon.png': pageOf('image/png', () => swaggerFile('favicon-32x32.png')),
  };
}

// The page calls the server that sends it.
const servedHere = { ...document, servers: [{ url: '/' }] };

/** Redirects browsers, which prefer HTML. Programs that accept anything get 404. */
function leadTo(address: string, ctx: Context): Promise<void> {
  ctx.vary('Accept');
  const prefersPages = ctx.accepts('json', 'html') === 'html';
  if (!['GET', 'HEAD'].includes(ctx.method) || !prefersPages) throw new Problem('Not found');
  ctx.redirect(address);
  return Promise.resolve();
}

// Addresses are relative, so that the page works behind a proxy that adds a prefix.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${document.info.title} reference</title>
    <link rel="icon" href="docs/favicon.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="docs/swagger-ui.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

const startScript = `SwaggerUIBundle({
  url: 'docs/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

function swaggerFile(name: string): Promise<Buffer> {
  return readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
}

// The page loads only its own files. The icons of Swagger UI are data URLs.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function pageOf(type: string, content: () => string | Promise<Buffer>): Pages[string] {
  // A file is made once, however many requests wait for it.
  const load = shareFor(Infinity, async () => {
    const bytes = Buffer.from(await content());
    return { bytes, etag: `"${hash('sha256', bytes, 'base64url')}"` };
  });
  return (ctx) =>
    answerOnly(reading, ctx, async () => {
      const { place } = ctx.state as RequestState;
      await place.admit(strangers);
      const { bytes, etag } = await load();
      if (!place.trySetBytes(bytes.length)) throw place.limits.bytes.rejection;
      ctx.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache', ETag: etag });
      ctx.status = 200;
      ctx.type = type;
      // Not `ctx.fresh`, which is false for requests with `Cache-Control: no-cache`.
      if (ctx.get('If-None-Match').includes(etag)) ctx.status = 304;
      else ctx.body = bytes;
    });
}
