import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Problem } from '../../errors.ts';
import type { FairLimit } from '../../limits/fair-limit.ts';
import { createTurns } from '../../limits/turns.ts';
import { bodyBytesMax } from '../../operation.ts';
import { destroySoon } from '../listener/destroy-soon.ts';
import { assertJsonLimits } from './json-limits.ts';

/** Receives the JSON body of a request. The caller holds its memory until it is parsed or the request ends. */
export type ReceiveBody = (ctx: Context, callerId: string) => Promise<ParseBody>;

/** Parses the received body, with at most this many values. An absent body becomes an empty object. */
type ParseBody = (valuesMax: number) => Promise<unknown>;

const options: bodyParser.Options & { onProtoPoisoning: 'remove' } = {
  enableTypes: ['json'],
  jsonLimit: String(bodyBytesMax),
  detectJSON: () => true,
  // Keys that could change a prototype are ignored, as unknown fields are.
  onProtoPoisoning: 'remove',
  onerror: (cause) => {
    throw new Problem('Bad Request', 'The body is not a JSON object. Check its syntax.', { cause });
  },
};
const parse = bodyParser(options);

// The memory of a chunk in addition to its bytes, because a client may send a chunk for every byte.
const bytesPerChunk = 256;

// A body of this size takes at most two milliseconds to parse and validate.
const largeBytes = 16 * 1024;

/**
 * Receives bodies of at most 1 MiB each, while `bodies` has room. Large and compressed bodies wait as they were
 * received; they are decompressed and parsed one after the other, because a compressed kilobyte can take 20 MB once it
 * is parsed.
 */
export function createBodyReceiver(bodies: FairLimit): ReceiveBody {
  const inTurn = createTurns();
  return async (ctx, callerId) => {
    if (Number(ctx.get('Content-Length')) > bodyBytesMax) throw tooLarge(ctx);
    if (!isEmpty(ctx) && !isJson(ctx.get('Content-Type'))) throw new Problem('Unsupported media type');
    const decompress = decompressorOf(ctx.get('Content-Encoding'));
    let held = 0;
    const reserve = (bytes: number): boolean => {
      if (!bodies.tryAcquire(callerId, bytes)) return false;
      held += bytes;
      return true;
    };
    const release = (): void => {
      bodies.release(callerId, held);
      held = 0;
    };
    let received: Buffer;
    try {
      // Room for the bytes, and for the text that is decoded from them.
      received = await receive(ctx, (chunk) => reserve(2 * chunk.length + bytesPerChunk), bodies.rejection);
      // A compressed body reserves its largest possible size, so few of them can wait.
      if (decompress !== undefined && !reserve(bodyBytesMax)) throw bodies.rejection;
    } catch (error) {
      release();
      throw error;
    }
    // If the response is sent while the body waits for its turn, the body is not parsed.
    ctx.res.once('close', release);
    const parse = async (valuesMax: number): Promise<unknown> => {
      if (ctx.res.closed) throw disconnected();
      return parseJson(decompress === undefined ? received : await decompress(received), valuesMax);
    };
    const isLarge = decompress !== undefined || received.length > largeBytes;
    return (valuesMax) =>
      (isLarge ? inTurn(callerId, () => parse(valuesMax)) : parse(valuesMax)).finally(release);
  };
}

/** Receives the body. Throws `rejection` if `reserve` returns false, because there is no memory left for a chunk. */
async function receive(
  ctx: Context,
  reserve: (chunk: Buffer) => boolean,
  rejection: Problem,
): Promise<Buffer> {
  // The client may wait for 100 Continue before it sends the body. HTTP/1.0 has no 100 Continue (RFC 9110, section
  // 10.1.1).
  if (/^100-continue$/i.test(ctx.get('Expect')) && ctx.req.httpVersion !== '1.0') ctx.res.writeContinue();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bodyBytesMax || !reserve(chunk)) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw disconnected(cause);
  }
  if (bytes > bodyBytesMax) throw tooLarge(ctx);
  if (!ctx.req.readableEnded) {
    discardRest(ctx);
    throw rejection;
  }
  return Buffer.concat(chunks);
}

function disconnected(cause?: unknown): Problem {
  return new Problem('Bad Request', 'The connection was closed before the body was read.', { cause });
}

type Decompress = (bytes: Buffer) => Promise<Buffer>;

/** How to decompress a content coding (RFC 9110, section 8.4.1); undefined for no coding. */
function decompressorOf(contentEncoding: string): Decompress | undefined {
  switch (contentEncoding.toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return decompressBy(promisify(unzip));
    case 'br':
      return decompressBy(promisify(brotliDecompress));
    default:
      throw new Problem(
        'Unsupported media type',
        'This Content-Encoding is not supported. Use gzip, deflate, br or none.',
      );
  }
}

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

function decompressBy(unpack: Unpack): Decompress {
  return async (bytes) => {
    // An empty body is empty in any encoding.
    if (bytes.length === 0) return bytes;
    try {
      return await unpack(bytes, { maxOutputLength: bodyBytesMax });
    } catch (cause) {
      if (isTooLarge(cause)) throw payloadTooLarge();
      throw new Problem(
        'Bad Request',
        'The body cannot be decompressed. Compress it as Content-Encoding says.',
        { cause },
      );
    }
  };
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

async function parseJson(bytes: Buffer, valuesMax: number): Promise<unknown> {
  // Invalid bytes are refused, because the parser would replace them.
  if (!isUtf8(bytes)) {
    throw new Problem('Bad Request', 'The body is not UTF-8. Encode it as UTF-8 (RFC 8259, section 8.1).');
  }
  assertJsonLimits(bytes, valuesMax);
  const req = Object.assign(Readable.from([bytes], { objectMode: false }), { headers: {} });
  const request: { body?: unknown } = {};
  // The parser uses only `req` and `request` of a context. The whole context would keep the text in memory until the
  // response.
  await parse({ req, request } as unknown as Context, () => Promise.resolve());
  return request.body;
}

function tooLarge(ctx: Context): Problem {
  discardRest(ctx);
  return payloadTooLarge();
}

function payloadTooLarge(): Problem {
  return new Problem(
    'Payload too large',
    `The body is larger than ${bodyBytesMax} bytes. Send a smaller one.`,
  );
}

/**
 * Reads and discards the rest of the body for a moment. A client that is still sending when its connection is closed
 * would lose the response.
 */
function discardRest({ req }: Context): void {
  destroySoon(req);
  req.resume();
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
