import { InvalidResponseError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import type { AnyParts, Operation } from './request.ts';
import { bodyOf, isObject, jsonOrText } from './response.ts';
import type { TimeLimit } from './time-limit.ts';
import type { OpenResponse, Transport } from './transport.ts';

export interface ServerEvent {
  readonly event: string;
  readonly id?: string;
  readonly data: object & { readonly truncated?: boolean };
}

/** A stream of the contract. */
export interface EventStream<Event extends ServerEvent> {
  readonly operation: Operation;
  readonly names: EventNames<Event>;
  /** The request that opens the stream at the current position. */
  readonly parts: () => AnyParts;
}

/** The names of the events of a stream. The value is true for events that end the stream. */
export type EventNames<Event extends ServerEvent> = Readonly<Record<Event['event'], boolean>>;

export function isLast<Event extends ServerEvent>({ names }: EventStream<Event>, event: Event): boolean {
  // The cast holds because the type of the event determines its name.
  return names[event.event as Event['event']];
}

/** Parses server-sent events (HTML standard, section 9.2). Skips comments (heartbeats) and unknown events. */
export async function* parseEventStream<Event extends ServerEvent>(
  chunks: AsyncIterable<Uint8Array>,
  names: EventNames<Event>,
): AsyncGenerator<Event, void, undefined> {
  let fields: Record<string, string> = {};
  for await (const line of splitLines(chunks)) {
    if (line === '') {
      const { event = '', id, data } = fields;
      // The contract defines the data of each event. Its fields are not validated.
      if (data !== undefined && Object.hasOwn(names, event))
        yield { event, id, data: parseData(event, data) } as Event;
      fields = {};
    } else {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)/s.exec(line) ?? [];
      fields[field] = field === 'data' && 'data' in fields ? `${fields['data']}\n${value}` : value;
    }
  }
}

// The server sends a heartbeat after 15 seconds without an event.
const silenceMaxMs = 20_000;

/** Opens an event stream. Its time limit runs while a read is pending. */
export function openEventStream<Event extends ServerEvent>(
  { open }: Transport,
  { operation, names, parts }: EventStream<Event>,
  options: RequestOptions,
): Promise<OpenResponse<AsyncGenerator<Event, void, undefined>>> {
  const accept = 'text/event-stream';
  return open(operation, { ...parts(), accept, options }, (response, limit) => {
    const body = bodyOf(response, accept);
    limit.timeoutMs = silenceMaxMs;
    return parseEventStream(readChunks(body, limit), names);
  });
}

/** Yields the chunks of a body. Each read has the full time of the limit. */
async function* readChunks(
  stream: ReadableStream<Uint8Array>,
  limit: TimeLimit,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value } = await limit.race(() => reader.read());
      if (value === undefined) return;
      yield value;
    }
  } finally {
    // `cancel` rejects if the stream has already failed.
    reader.cancel().catch(() => undefined);
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  // Drops a byte order mark, and joins characters that are split between chunks.
  const decoder = new TextDecoder();
  // An incomplete line, or the CR of a line that has already been yielded: it may be the first half of a CRLF.
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const lines = text.split(/\r\n|\n|\r/);
    if (rest === '\r') lines.shift();
    const last = lines.pop() ?? '';
    rest = text.endsWith('\r') ? '\r' : last;
    yield* lines;
  }
  // An incomplete last line belongs to an incomplete event, which the standard discards.
}

function parseData(event: string, data: string): object {
  const value = jsonOrText(data);
  if (isObject(value)) return value;
  throw new InvalidResponseError(`The event "${event}" is not a JSON object.`);
}
