import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { Problem } from '../../contract/problem.ts';

const headersMax = 100;

/** Refuses heads that Node accepts but proxies may read in another way. */
export const checkHead: Middleware = (ctx, next) => {
  const target = originForm(ctx.url);
  const problem = headError(ctx.req);
  // Replaces a refused target: the log reads the path from Koa, which cannot parse every target.
  ctx.url = target ?? '*';
  if (target !== undefined && problem === undefined) return next();
  // Node also closes the connection after a head that it cannot parse.
  ctx.set('Connection', 'close');
  throw problem ?? new Problem('Bad Request');
};

function headError(request: IncomingMessage): Problem | undefined {
  // `rawHeaders` alternates names and values.
  if (request.rawHeaders.length > 2 * headersMax) return new Problem('Headers too large');
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return new Problem('Not implemented');
  if (!hasValidHost(request)) return new Problem('Bad Request', invalidHost);
  if (headersNamed('authorization', request) > 1) return new Problem('Bad Request', twoTokens);
  return undefined;
}

const invalidHost = 'Send exactly one Host header, with the name or address of the server and its port.';
const twoTokens = 'Send one Authorization header, with one token.';

const hostAndPort = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Returns true for exactly one Host header, or for none in HTTP/1.0 (RFC 9112, section 3.2). */
function hasValidHost(request: IncomingMessage): boolean {
  const { host } = request.headers;
  if (headersNamed('host', request) > 1) return false;
  return host === undefined ? request.httpVersion === '1.0' : hostAndPort.test(host);
}

/** The number of headers with a name, of which `headers` has only the first. */
function headersNamed(name: string, { rawHeaders }: IncomingMessage): number {
  return rawHeaders.filter(
    (text, i) => i % 2 === 0 && text.length === name.length && text.toLowerCase() === name,
  ).length;
}

/**
 * The path and query of a request target, so that all readers of the target agree. A target is a path or an HTTP
 * address, in visible ASCII and without a fragment (RFC 9112, section 3.2). Returns undefined for any other text.
 */
function originForm(target: string): string | undefined {
  if (target.includes('#') || !/^[!-~]+$/.test(target)) return undefined;
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  // Unchanged: `URL` would turn `/%2e/metrics` into `/metrics`, which a proxy may block.
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}
