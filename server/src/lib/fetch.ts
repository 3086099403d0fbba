import { asObject } from './json.ts';

/** A request got no response. The message is the reason, without the address. */
export class RequestFailed extends Error {
  override name = 'RequestFailed';
  /** The code of the network error, such as ECONNREFUSED. */
  readonly code: string | undefined;

  constructor(error: unknown) {
    super(failureReason(error));
    this.code = codeOf(causesOf(error).at(-1));
  }
}

/** Like `fetch`, but rejects with `RequestFailed` or the signal's reason. */
export const fetchOrFail: typeof fetch = (input, init) =>
  fetch(input, init).catch((error: unknown) => {
    init?.signal?.throwIfAborted();
    throw new RequestFailed(error);
  });

/**
 * Why a request failed: the code and the message of the deepest cause, such as "CERT_HAS_EXPIRED: certificate has
 * expired". Errors of the system, of undici and of certificates for another host have only their code, because their
 * messages repeat the address.
 */
export function failureReason(error: unknown): string {
  const cause = causesOf(error).at(-1);
  if (cause === undefined) return String(error);
  const code = codeOf(cause);
  const hasAddress = 'syscall' in cause || 'host' in cause || code?.startsWith('UND_ERR_') === true;
  const message = hasAddress ? '' : cause.message.trim();
  return [code, message].filter((part) => part !== undefined && part !== '').join(': ') || cause.name;
}

/** An error and the errors that caused it, the outermost first. */
export function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

function codeOf(error: Error | undefined): string | undefined {
  return error !== undefined && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** A response whose body fails with an error as soon as it has more than `bytesMax` bytes. */
export function limitBody(response: Response, bytesMax: number, createError: () => Error): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw createError();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(limit), response);
}

// The members that describe an error in JSON-RPC, OpenAI, vLLM and FastAPI. Other members may repeat the request.
const members: readonly string[] = ['error', 'detail', 'code', 'type', 'param', 'loc', 'msg', 'message'];

/** The texts of an error, in any form. A text that is not the JSON of an error is used whole. */
export function textOfError(body: unknown): string {
  if (typeof body !== 'string') return textsIn(body).join(' ');
  try {
    return textOfError(JSON.parse(body)) || body;
  } catch {
    return body;
  }
}

/** Adds to one list, because joining a list on each level would take quadratic time. */
function textsIn(value: unknown, texts: string[] = []): string[] {
  const object = asObject(value) ?? {};
  if (typeof value === 'string') texts.push(value);
  else
    for (const part of Array.isArray(value) ? value : members.flatMap((name) => object[name] ?? []))
      textsIn(part, texts);
  return texts;
}
