import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { overloaded, Problem } from '../../errors.ts';
import { depthExceeds } from '../../json-depth.ts';
import { destroySoon } from '../listener/destroy-soon.ts';
import type { ByteBudget } from '../overload/byte-budget.ts';
import { createTurns } from '../overload/turns.ts';

/** Reads the JSON body of a caller's request; an absent one is an empty object. */
type ReadBody = (ctx: Context, callerId: string) => Promise<unknown>;

const bytesMax = 1024 * 1024;
const depthMax = 64;

const options: bodyParser.Options & { onProtoPoisoning: 'remove' } = {
  enableTypes: ['json'],
  jsonLimit: String(bytesMax),
  detectJSON: () => true,
  // Keys that could reach a prototype are ignored like any unknown field.
  onProtoPoisoning: 'remove',
  onerror: (error) => {
    throw bodyProblem(error);
  },
};
const parse = bodyParser(options);

// The memory that a chunk takes besides its bytes: a client may send a chunk for every byte.
const bytesPerChunk = 256;

// Parsing, validating and drawing a body of this size takes about two milliseconds.
const largeBytes = 64 * 1024;

/** Reads bodies of at most 1 MiB, and at the same time no more of them than fit into the budget. */
export function createBodyReader(budget: ByteBudget): ReadBody {
  const nextTurn = createTurns();
  return async (ctx, callerId) => {
    if (Number(ctx.get('Content-Length')) > bytesMax) throw tooLarge(ctx);
    if (!isEmpty(ctx) && !isJson(ctx.get('Content-Type'))) throw new Problem('Unsupported media type');
    const releases: (() => void)[] = [];
    try {
      const chunks = await receive(ctx, (chunk) => {
        // The memory of the bytes, and of the text that the parser decodes from them.
        const bytes = 2 * chunk.length + bytesPerChunk;
        if (!budget.hasRoom(callerId, bytes)) return false;
        releases.push(budget.take(callerId, bytes));
        return true;
      });
      if (chunks.reduce((sum, { length }) => sum + length, 0) > largeBytes) await nextTurn();
      return await parseChunks(ctx, chunks);
    } finally {
      for (const release of releases) release();
    }
  };
}

/** Receives the body. `reserve` returns false when there is no memory for the chunk that has arrived. */
async function receive(ctx: Context, reserve: (chunk: Buffer) => boolean): Promise<Buffer[]> {
  // The client may wait for this before it sends the body (RFC 9110, section 10.1.1).
  if (/^100-continue$/i.test(ctx.get('Expect'))) ctx.res.writeContinue();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax || !reserve(chunk)) break;
      chunks.push(chunk);
    }
  } catch (cause) {
    throw new Problem('Bad Request', 'The connection was closed before the body had arrived.', { cause });
  }
  if (bytes > bytesMax) throw tooLarge(ctx);
  if (!ctx.req.readableEnded) {
    discardRest(ctx);
    throw overloaded.MAX_BUFFERED_REQUEST_BYTES;
  }
  return chunks;
}

async function parseChunks(ctx: Context, chunks: readonly Buffer[]): Promise<unknown> {
  const req = Object.assign(Readable.from(chunks, { objectMode: false }), { headers: ctx.req.headers });
  // All that the parser uses of a context. An object that inherits from `ctx` would make V8 keep each `ctx` in memory until
  // the next major garbage collection.
  const context: Pick<Context, 'req' | 'request'> = {
    req: req as unknown as Context['req'],
    request: ctx.request,
  };
  await parse(context as Context, () => Promise.resolve());
  requireUtf8(ctx, chunks);
  const body: unknown = ctx.request.body;
  if (depthExceeds(body, depthMax)) {
    throw new Problem('Bad Request', `The body is nested deeper than ${depthMax} levels. Flatten it.`);
  }
  return body;
}

function tooLarge(ctx: Context): Problem {
  discardRest(ctx);
  return payloadTooLarge();
}

function payloadTooLarge(): Problem {
  return new Problem('Payload too large', `The body is larger than ${bytesMax} bytes. Send a smaller one.`);
}

/**
 * Reads and discards the rest of the body for a moment: a client that still sends when its connection is closed would
 * lose the response.
 */
function discardRest({ req }: Context): void {
  destroySoon(req);
  req.resume();
}

/** The parser decodes invalid UTF-8 to replacement characters, which must not be stored in place of the text. */
function requireUtf8(ctx: Context, chunks: readonly Buffer[]): void {
  if (!ctx.request.rawBody.includes('\ufffd')) return;
  if (!isUtf8(decoded(Buffer.concat(chunks), ctx.get('Content-Encoding')))) {
    throw new Problem('Bad Request', 'The body is not UTF-8. Encode it as UTF-8 (RFC 8259, section 8.1).');
  }
}

/** The bytes without their content encoding. The parser has decoded the same bytes before, within the same limit. */
function decoded(bytes: Buffer, encoding: string): Buffer {
  const limit = { maxOutputLength: bytesMax };
  switch (encoding) {
    case 'gzip':
    case 'deflate':
      return unzipSync(bytes, limit);
    case 'br':
      return brotliDecompressSync(bytes, limit);
    default:
      return bytes;
  }
}

function isEmpty(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') === '' && ['', '0'].includes(ctx.get('Content-Length'));
}

/** A missing type counts as JSON. JSON is UTF-8, so a type with any other charset is not JSON. */
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

function bodyProblem(error: Error): Problem {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return payloadTooLarge();
  if (status === 415)
    return new Problem('Unsupported media type', 'This Content-Encoding is not supported. Use gzip or none.');
  return new Problem('Bad Request', 'The body is not a JSON object. Check its syntax.', { cause: error });
}
