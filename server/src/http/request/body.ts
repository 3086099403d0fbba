import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Problem } from '../../contract/problem.ts';
import { assertJsonLimits, type JsonLimits } from '../../lib/json-limits.ts';
import { bodyBytesMax } from '../../contract/operation.ts';
import type { Place } from '../place.ts';

// Returns the bytes, because parsing waits for the caller's turn in the queue.
const options: Omit<bodyParser.Options, 'encoding'> & { encoding: null } = {
  enableTypes: ['text'],
  extendTypes: { text: ['application/json'] },
  textLimit: String(bodyBytesMax),
  encoding: null,
};
// The package types only encodings of texts.
const read: (ctx: Context, next: () => Promise<void>) => Promise<void> = bodyParser(
  options as unknown as bodyParser.Options,
);

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** The body of a request as it was received. */
export class ReceivedBody {
  readonly #decode: Decode | undefined;
  #bytes: Buffer | undefined;

  constructor(bytes: Buffer, decode?: Decode) {
    this.#bytes = bytes;
    this.#decode = decode;
  }

  /** Decompresses and parses the JSON, once: the bytes are not kept. An empty body becomes an empty object. */
  parse(limits: JsonLimits): unknown {
    const bytes = decoded(this.#bytes ?? Buffer.alloc(0), this.#decode);
    this.#bytes = undefined;
    if (bytes.length === 0) return {};
    // Invalid bytes are refused, because decoding would replace them.
    if (!isUtf8(bytes))
      throw new Problem('Bad Request', 'The body is not UTF-8. Encode it as UTF-8 (RFC 8259, section 8.1).');
    assertJsonLimits(bytes, limits);
    return parseJson(bytes.toString());
  }
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

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw notJson(cause);
  }
  throw notJson();
}

function notJson(cause?: unknown): Problem {
  return new Problem('Bad Request', 'The body is not a JSON object. Check its syntax.', { cause });
}

/**
 * Receives a body of at most 1 MiB. It is decompressed when it is parsed, because a compressed kilobyte can take a
 * mebibyte.
 */
export async function receiveBody(ctx: Context, place: Place): Promise<ReceivedBody> {
  if (isEmpty(ctx)) return new ReceivedBody(Buffer.alloc(0));
  if (!isJson(ctx.get('Content-Type'))) throw new Problem('Unsupported media type');
  const decode = decoderOf(ctx.get('Content-Encoding'));
  if (Number(ctx.get('Content-Length')) > bodyBytesMax) throw tooLarge(ctx);
  // Lets koa-bodyparser return the bytes unchanged.
  Object.assign(ctx.req.headers, { 'content-type': 'application/json', 'content-encoding': 'identity' });
  // The client may wait for 100 Continue before it sends the body. HTTP/1.0 has no 100 Continue (RFC 9110, section
  // 10.1.1).
  if (/^100-continue$/i.test(ctx.get('Expect')) && ctx.req.httpVersion !== '1.0') ctx.res.writeContinue();
  const withoutRoom = chargeChunks(ctx, place);
  await Promise.race([read(ctx, nothing), withoutRoom]).catch((error: unknown) => {
    if (error instanceof Problem) throw error;
    const { type } = Object(error) as { readonly type?: unknown };
    throw type === 'entity.too.large' ? tooLarge(ctx) : disconnected(error);
  });
  const received = new ReceivedBody(ctx.request.body as Buffer, decode);
  // The context would keep the body in memory until the response.
  Object.assign(ctx.request, { body: undefined, rawBody: undefined });
  return received;
}

const nothing = (): Promise<void> => Promise.resolve();

// The memory of a chunk in addition to its bytes, because a client may send a chunk for every byte.
const bytesPerChunk = 256;

/** Charges the chunks of a body as they arrive, and the text that is decoded from them. Rejects without room. */
function chargeChunks(ctx: Context, place: Place): Promise<never> {
  let bytes = 0;
  return new Promise((_resolve, reject) => {
    ctx.req.on('data', (chunk: Buffer) => {
      bytes += 2 * chunk.length + bytesPerChunk;
      if (place.tryHold(bytes)) return;
      ctx.req.removeAllListeners('data');
      discardRest(ctx);
      reject(place.rejection);
    });
  });
}

function disconnected(cause: unknown): Problem {
  return new Problem('Bad Request', 'The connection was closed before the body was read.', { cause });
}

/** How to decode a content coding (RFC 9110, section 8.4.1); undefined for none. */
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

function tooLarge(ctx: Context): Problem {
  discardRest(ctx);
  return payloadTooLarge();
}

const discardMs = 2000;

/**
 * Reads and discards the rest of the body for a moment. A client that is still sending when its connection is closed
 * would lose the response.
 */
function discardRest({ req }: Context): void {
  const timeout = setTimeout(() => req.destroy(), discardMs);
  req.once('close', () => {
    clearTimeout(timeout);
  });
  req.resume();
}

function payloadTooLarge(): Problem {
  return new Problem(
    'Payload too large',
    `The body is larger than ${bodyBytesMax} bytes. Send a smaller one.`,
  );
}

function isEmpty(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') === '' && ['', '0'].includes(ctx.get('Content-Length'));
}

/** A missing type counts as JSON. Another charset than UTF-8 is not JSON. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset =
    parameters
      .find((part) => part.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '') ?? 'utf-8';
  const isJsonType = type === '' || type === 'application/json' || /^[\w.-]+\/[\w.-]+\+json$/.test(type);
  return isJsonType && ['utf-8', 'utf8', 'us-ascii'].includes(charset);
}
