import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { acceptedType } from '../response/accepted-type.ts';

// `Request` requires an address; the MCP package does not read it.
const address = 'http://localhost/mcp';

const eventStream = 'text/event-stream';

/**
 * The request as a `Request` of the Fetch API, without its token and its body, which has already been read. The package
 * requires that a client accepts JSON and event streams. A client that accepts only one of them is presented as accepting
 * both, and `sendWebResponse` sends the accepted form.
 */
export function webRequest(ctx: Context): Request {
  const headers = Object.entries(ctx.headers).flatMap(([name, value]): [string, string][] =>
    isOfProtocol(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  const acceptsEither =
    ctx.method === 'POST' && acceptedType(ctx, ['application/json', eventStream]) !== undefined;
  return new Request(address, {
    method: ctx.method,
    headers: acceptsEither ? [...headers, ['accept', `application/json, ${eventStream}`]] : headers,
  });
}

function isOfProtocol(name: string): boolean {
  return name === 'accept' || name === 'content-type' || name.startsWith('mcp-');
}

/** Sends a `Response` of the Fetch API: a stream event by event, any other response as a whole. */
export async function sendWebResponse(ctx: Context, response: Response, isStream: boolean): Promise<void> {
  ctx.status = response.status;
  for (const [name, value] of response.headers) {
    // The listener decides about the Connection header.
    if (name !== 'connection') ctx.set(name, value);
  }
  if (response.body === null) {
    ctx.body = '';
    ctx.remove('Content-Type');
    return;
  }
  if (isStream) {
    ctx.body = Readable.fromWeb(response.body);
    return;
  }
  const text = await response.text();
  const message = response.headers.get('Content-Type') === eventStream ? messageOf(text) : undefined;
  if (message === undefined) {
    ctx.body = Buffer.from(text);
    return;
  }
  // The package has created a stream for a client that may accept only JSON (see `webRequest`).
  const acceptsEvents = ctx.get('Accept').toLowerCase().includes(eventStream);
  if (!acceptsEvents) ctx.set('Content-Type', 'application/json');
  const readable = withReadableError(message);
  ctx.body = Buffer.from(acceptsEvents ? text.replace(message, () => readable) : readable);
}

/** The last message of a finished stream, which is the answer. */
function messageOf(stream: string): string | undefined {
  return [...stream.matchAll(/^data: ?(.+)$/gm)].at(-1)?.[1];
}

/** Returns true if the response to a message is an event stream. */
export function isSubscription(message: unknown): boolean {
  return methodOf(message) === 'subscriptions/listen';
}

/** Returns true for a message that calls a tool. */
export function isCall(message: unknown): boolean {
  return methodOf(message) === 'tools/call';
}

function methodOf(message: unknown): unknown {
  return (Object(message) as { method?: unknown }).method;
}

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

// Invalid params (JSON-RPC 2.0, section 5.1).
const invalidParams = -32602;

/** Replaces the list of issues in an error message of the MCP package by a sentence. */
function withReadableError(text: string): string {
  if (!text.includes('"error"')) return text;
  const message = JSON.parse(text) as {
    readonly error?: { readonly code: number; readonly message: string };
  };
  const issues = issuesOf(message.error?.message ?? '');
  if (issues === undefined) return text;
  const sentences = issues.map(({ path, message: problem }) => `${path.join('.')}: ${problem}.`);
  return JSON.stringify({ ...message, error: { code: invalidParams, message: sentences.join(' ') } });
}

/** The issues at the end of a message from the package; undefined if there are none. */
function issuesOf(message: string): Issue[] | undefined {
  const start = message.indexOf('[');
  if (start < 0) return undefined;
  try {
    const issues: unknown = JSON.parse(message.slice(start));
    return Array.isArray(issues) && issues.every(isIssue) ? issues : undefined;
  } catch {
    return undefined;
  }
}

function isIssue(value: unknown): value is Issue {
  const { path, message } = Object(value) as Partial<Issue>;
  return Array.isArray(path) && typeof message === 'string';
}
