import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { Problem } from '../../contract/problem.ts';

const headersMax = 100;

const authority = String.raw`(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+\])(?::\d*)?`;
const validHost = new RegExp(`^${authority}$`, 'i');

/** A path or an HTTP address, in visible ASCII and without a fragment (RFC 9112, section 3.2). */
const validTarget = new RegExp(`^(https?://${authority})?(|[/?][!"$-~]*|\\*)$`, 'i');

/** Refuses heads that Node accepts but proxies may read in another way. */
export const checkHead: Middleware = (ctx, next) => {
  const path = pathOf(ctx.url);
  const problem = path === undefined ? new Problem('Bad Request') : headError(ctx.req);
  // Leaves out the address of a target, so that all readers agree on the path. If the target is invalid, `*` takes its
  // place, because the log gets the path from Koa, which cannot parse every target.
  ctx.url = path ?? '*';
  if (problem === undefined) return next();
  // Node also closes the connection after a head that it cannot parse.
  ctx.set('Connection', 'close');
  throw problem;
};

/** The path and query of a target; undefined if the target is invalid. Only a target with an address may lack a path. */
function pathOf(target: string): string | undefined {
  const [, address, path] = validTarget.exec(target) ?? [];
  if (path === undefined || path.startsWith('/') || path === '*') return path;
  return address === undefined ? undefined : `/${path}`;
}

function headError({ rawHeaders, headersDistinct, httpVersion }: IncomingMessage): Problem | undefined {
  const { host: hosts = [], authorization: tokens = [], 'transfer-encoding': codings = [] } = headersDistinct;
  // `rawHeaders` alternates names and values.
  if (rawHeaders.length > 2 * headersMax) return new Problem('Headers too large');
  if (codings.some((coding) => coding.toLowerCase() !== 'chunked')) return new Problem('Not implemented');
  const hasHost = hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0');
  if (!hasHost || !hosts.every((host) => validHost.test(host)))
    return new Problem('Bad Request', invalidHost);
  return tokens.length > 1 ? new Problem('Bad Request', twoTokens) : undefined;
}

const invalidHost = 'Send exactly one Host header, with the name or address of the server and its port.';
const twoTokens = 'Send one Authorization header, with one token.';
