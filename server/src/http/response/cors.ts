import koaCors from '@koa/cors';
import type { Middleware } from 'koa';
import document from '../../generated/openapi.json' with { type: 'json' };

/** Allows pages of these origins to call the service, and to read every header that the contract documents. */
export function cors(origins: readonly string[]): Middleware {
  return koaCors({
    origin: (ctx) => (allowsOrigin(origins, ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
    exposeHeaders: documentedHeaders(),
    maxAge: 600,
  });
}

/** Returns true for a listed origin. The port `*`, which only a demo lists, stands for any port or none. */
export function allowsOrigin(origins: readonly string[], origin: string): boolean {
  return origins.includes(origin) || origins.includes(origin.replace(/(?::\d+)?$/, ':*'));
}

function documentedHeaders(): string[] {
  const inOperations = Object.values(document.paths).flatMap((item) =>
    // A path item also has parameters, which have no `responses`.
    (Object.values(item) as { responses?: Record<string, { headers?: object }> }[]).flatMap(
      ({ responses = {} }) => Object.values(responses),
    ),
  );
  const responses = [...inOperations, ...Object.values(document.components.responses)];
  const names = responses.flatMap((response) => ('headers' in response ? Object.keys(response.headers) : []));
  return [...new Set(names)];
}
