import { InvalidResponseError } from './errors.ts';
import type { RunEvent } from './resources.ts';

const eventNames: Readonly<Record<RunEvent['event'], true>> = {
  'run.started': true,
  'run.completed': true,
  'run.failed': true,
  'message.delta': true,
  message: true,
};

/** Parses server-sent events (HTML standard, section 9.2). Skips comments (heartbeats) and unknown events. */
export async function* parseEventStream(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<RunEvent, void, undefined> {
  let name = '';
  let data: string[] = [];
  for await (const line of splitLines(chunks)) {
    if (line === '') {
      if (data.length > 0 && isEventName(name)) yield parseEvent(name, data.join('\n'));
      name = '';
      data = [];
    } else {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') name = value;
      if (field === 'data') data.push(value);
    }
  }
}

async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  // Drops a byte order mark, and joins characters that are split between chunks.
  const decoder = new TextDecoder();
  let incompleteLine = '';
  let endsInCr = false;
  for await (const chunk of chunks) {
    const decoded = decoder.decode(chunk, { stream: true });
    // The CR at the end of the previous chunk ended its line. The LF of the same CRLF must not end another.
    const text = endsInCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    endsInCr = decoded === '' ? endsInCr : decoded.endsWith('\r');
    const [firstLine = '', ...lines] = text.split(/\r\n|\n|\r/);
    lines.unshift(incompleteLine + firstLine);
    incompleteLine = lines.pop() ?? '';
    yield* lines;
  }
  // An incomplete line at the end belongs to an incomplete event, which the standard discards.
}

function isEventName(name: string): name is RunEvent['event'] {
  return Object.hasOwn(eventNames, name);
}

function parseEvent(event: RunEvent['event'], data: string): RunEvent {
  // The contract defines the data of each event. Its fields are not validated.
  return { event, data: parseData(event, data) } as RunEvent;
}

function parseData(event: string, data: string): object {
  let cause: unknown;
  try {
    const value = JSON.parse(data) as unknown;
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    cause = error;
  }
  throw new InvalidResponseError(`The data of the event "${event}" is not a JSON object.`, { cause });
}
