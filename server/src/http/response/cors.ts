import koaCors from '@koa/cors';
import type { Middleware } from 'koa';

/** Allows pages of these origins to call the service, and to read every header. */
export function cors(origins: readonly string[]): Middleware {
  return koaCors({
    origin: (ctx) => (allowsOrigin(origins, ctx.get('Origin')) ? ctx.get('Origin') : ''),
    allowMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
    // `*` means all headers, because no request has cookies.
    exposeHeaders: '*',
    maxAge: 600,
  });
}

/** Returns true for a listed origin. The port `*`, which only a demo lists, stands for any port or none. */
export function allowsOrigin(origins: readonly string[], origin: string): boolean {
  return origins.includes(origin) || origins.includes(origin.replace(/(?::\d+)?$/, ':*'));
}
