import type { Context } from 'koa';
import Negotiator from 'negotiator';

// A parameter of a media type, except the weight. A quoted value may contain separators.
const parameters = /;(?!\s*q\s*=)[^;,"]*(?:"[^"]*"[^;,"]*)*/gi;

/**
 * The media type that the client prefers (RFC 9110, section 12.5.1): the first type if it has no preference, undefined
 * if it accepts none. Parameters are ignored: `text/event-stream;charset=utf-8` requests the stream, which is always
 * UTF-8.
 */
export function acceptedType<Type extends string>(ctx: Context, types: readonly Type[]): Type | undefined {
  const accept = ctx.get('Accept').replaceAll(parameters, '');
  const preferred = new Negotiator({ headers: { accept: accept || '*/*' } }).mediaType([...types]);
  return types.find((type) => type === preferred);
}
