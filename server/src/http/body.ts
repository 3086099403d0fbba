import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Problem } from '../errors.ts';

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

/** The JSON body; an absent one is an empty object. Reads at most 1 MiB and parses once. */
export async function readBody(ctx: Context): Promise<unknown> {
  if (Number(ctx.get('Content-Length')) > bytesMax) throw tooLarge(ctx);
  if (!isEmpty(ctx) && !isJson(ctx.request.type)) throw new Problem('Unsupported media type');
  try {
    await parse(ctx, () => Promise.resolve());
  } catch (error) {
    throw error instanceof Problem && error.code === 'Payload too large' ? tooLarge(ctx) : error;
  }
  const body: unknown = ctx.request.body;
  if (depthExceeds(body, depthMax)) {
    throw new Problem('Bad Request', `The body is nested deeper than ${depthMax} levels. Flatten it.`);
  }
  return body;
}

/** The rest of the body is not read, so the connection cannot be used again. */
function tooLarge(ctx: Context): Problem {
  ctx.set('Connection', 'close');
  return new Problem('Payload too large', `The body is larger than ${bytesMax} bytes. Send a smaller one.`);
}

function isEmpty(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') === '' && ['', '0'].includes(ctx.get('Content-Length'));
}

function isJson(mediaType: string): boolean {
  return mediaType === '' || mediaType === 'application/json' || mediaType.endsWith('+json');
}

function bodyProblem(error: Error): Problem {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return new Problem('Payload too large');
  if (status === 415)
    return new Problem('Unsupported media type', 'This Content-Encoding is not known. Use gzip or none.');
  return new Problem('Bad Request', 'The body is not a JSON object. Check its syntax.', { cause: error });
}

function depthExceeds(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap(childrenOf);
  }
  return false;
}

function childrenOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}
