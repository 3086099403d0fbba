import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Problem } from '../../contract/problem.ts';
import { assertJsonLimits, bodyBytesMax, type JsonLimits } from '../../lib/json-limits.ts';
import type { ServedOperation } from '../../contract/contract.ts';
import type { RequestParts } from '../../contract/operation.ts';
import type { Parameter, Schema } from '../../contract/schema.ts';
import type { Place } from '../place.ts';

// Makes koa-bodyparser return the bytes. They are parsed when the request gets its turn in the queue.
const options: Omit<bodyParser.Options, 'encoding'> & { encoding: null } = {
  enableTypes: ['text'],
  extendTypes: { text: ['application/json'] },
  textLimit: String(bodyBytesMax),
  encoding: null,
};
// The cast is needed because the package types only encodings of text, not null.
const read: (ctx: Context, next: () => Promise<void>) => Promise<void> = bodyParser(
  options as unknown as bodyParser.Options,
);

/**
 * Receives the body of an operation. Returns a function that parses the query and the body. The function can be called
 * once, because it releases the bytes.
 */
export async function receive(
  ctx: Context,
  { requestBody, jsonLimits, parameters = [] }: ServedOperation,
  place: Place,
): Promise<() => Omit<RequestParts, 'path'>> {
  const parseBody = requestBody && (await receiveBody(ctx, jsonLimits, place));
  return () => ({
    query: queryOf(ctx, parameters),
    headers: ctx.headers,
    body: parseBody?.(),
  });
}

/**
 * The parameters of a query, with the types of the contract. Values of another type stay text, so that validation
 * reports them. Names that begin with `_` are ignored.
 */
function queryOf({ query, querystring }: Context, parameters: readonly Parameter[]): Record<string, unknown> {
  try {
    // Checks the escapes, because the parser would replace bytes that are not UTF-8. It accepts a single "%".
    decodeURIComponent(querystring.replaceAll(/%(?![\da-f]{2})/gi, ''));
  } catch {
    throw new Problem('Bad Request', 'The query is not UTF-8. Percent-encode its text as UTF-8.');
  }
  const named = Object.entries(query).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(
    named.map(([name, value = '']) => {
      const parameter = parameters.find((each) => each.in === 'query' && each.name === name);
      return [name, typed(value, parameter?.schema)];
    }),
  );
}

/** `value` is a list if the parameter is repeated. */
function typed(value: string | readonly string[], { type }: Schema = {}): unknown {
  if (type === 'array') return [value].flat();
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value;
}

/**
 * Receives a body of at most 1 MiB. Returns a function that decompresses and parses it at the request's turn, because a
 * compressed kilobyte can become a mebibyte. The bytes count for the caller until the response, because a chart may wait
 * for a render process. An empty body becomes an empty object.
 */
export async function receiveBody(ctx: Context, limits: JsonLimits, place: Place): Promise<() => unknown> {
  const hasBody = ctx.get('Transfer-Encoding') !== '' || Boolean(ctx.request.length);
  if (!hasBody) return () => ({});
  if (!isJson(ctx)) throw new Problem('Unsupported media type');
  const decode = decoderOf(ctx.get('Content-Encoding'));
  if (Number(ctx.get('Content-Length')) > bodyBytesMax) throw payloadTooLarge();
  // Lets koa-bodyparser return the bytes unchanged.
  Object.assign(ctx.req.headers, { 'content-type': 'application/json', 'content-encoding': 'identity' });
  // The client may wait for 100 Continue before it sends the body. HTTP/1.0 has no 100 Continue (RFC 9110, section
  // 10.1.1).
  if (/^100-continue$/i.test(ctx.get('Expect')) && ctx.req.httpVersion !== '1.0') ctx.res.writeContinue();
  const withoutCapacity = countChunks(ctx, place);
  await Promise.race([read(ctx, nothing), withoutCapacity]).catch((error: unknown) => {
    // Discards the rest. A client that is still sending when its connection is closed would lose the response.
    ctx.req.resume();
    if (error instanceof Problem) throw error;
    const { type } = Object(error) as { readonly type?: unknown };
    if (type === 'entity.too.large') throw payloadTooLarge();
    const sentence = 'The connection was closed before the body was read.';
    throw new Problem('Bad Request', sentence, { cause: error });
  });
  return () => {
    const bytes = decoded(ctx.request.body as Buffer, decode);
    // Otherwise, the context would keep the body in memory until the response.
    Object.assign(ctx.request, { body: undefined, rawBody: undefined });
    if (!place.trySetBytes(2 * bytes.length)) throw place.limits.bytes.rejection;
    return parse(bytes, limits);
  };
}

const nothing = (): Promise<void> => Promise.resolve();

// The memory of a chunk in addition to its bytes, because a client may send a chunk for every byte.
const bytesPerChunk = 256;

/** Counts the chunks of a body as they arrive, and the text to be decoded from them. Rejects if capacity runs out. */
function countChunks(ctx: Context, place: Place): Promise<never> {
  let bytes = 0;
  return new Promise((_resolve, reject) => {
    ctx.req.on('data', (chunk: Buffer) => {
      bytes += 2 * chunk.length + bytesPerChunk;
      if (place.trySetBytes(bytes)) return;
      // Removes koa-bodyparser's listeners too, which would keep the chunks until the client has sent the rest.
      ctx.req.removeAllListeners();
      reject(place.limits.bytes.rejection);
    });
  });
}

function parse(bytes: Buffer, limits: JsonLimits): unknown {
  if (bytes.length === 0) return {};
  // Invalid bytes are refused, because decoding would replace them.
  if (!isUtf8(bytes))
    throw new Problem('Bad Request', 'The body is not UTF-8. Encode it as UTF-8 (RFC 8259, section 8.1).');
  assertJsonLimits(bytes, limits);
  // `decode` drops the byte order mark that some programs write (RFC 8259, section 8.1).
  return parseJson(new TextDecoder().decode(bytes));
}

function decoded(bytes: Buffer, decode: Decode | undefined): Buffer {
  if (decode === undefined || bytes.length === 0) return bytes;
  try {
    return decode(bytes, { maxOutputLength: bodyBytesMax });
  } catch (cause) {
    if (cause instanceof RangeError && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
      throw payloadTooLarge();
    const sentence = 'The body cannot be decompressed. Compress it as Content-Encoding says.';
    throw new Problem('Bad Request', sentence, { cause });
  }
}

function parseJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Refused below.
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new Problem('Bad Request', 'The body is not a JSON object. Check its syntax.');
}

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** The decoder of a content coding (RFC 9110, section 8.4.1); undefined if the body is not encoded. */
function decoderOf(header: string): Decode | undefined {
  const coding = header.toLowerCase();
  if (['', 'identity'].includes(coding)) return undefined;
  if (['gzip', 'x-gzip', 'deflate'].includes(coding)) return unzipSync;
  if (coding === 'br') return brotliDecompressSync;
  throw new Problem(
    'Unsupported media type',
    'This Content-Encoding is not supported. Use gzip, deflate, br or none.',
  );
}

function payloadTooLarge(): Problem {
  return new Problem(
    'Payload too large',
    `The body is larger than ${bodyBytesMax} bytes. Send a smaller one.`,
  );
}

/** Returns true for a JSON media type or none, in UTF-8. */
function isJson(ctx: Context): boolean {
  const isJsonType = ctx.get('Content-Type') === '' || ctx.is('json', '+json') !== false;
  return isJsonType && ['', 'utf-8', 'utf8'].includes(ctx.request.charset.toLowerCase());
}
