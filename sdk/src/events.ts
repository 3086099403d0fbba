import { InvalidResponseError } from './errors.ts';
import type { RunEvent } from './resources.ts';

const eventNames: Readonly<Record<RunEvent['event'], true>> = {
  'run.started': true,
  'run.completed': true,
  'run.failed': true,
  'message.delta': true,
  message: true,
};

/** The events of a stream of bytes (HTML standard, section 9.2). Heartbeats and unknown events are passed over. */
export async function* eventsOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<RunEvent, void, undefined> {
  let name = '';
  let data: string[] = [];
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      if (data.length > 0 && isKnown(name)) yield eventFrom(name, data.join('\n'));
      name = '';
      data = [];
    } else {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') name = value;
      if (field === 'data') data.push(value);
    }
  }
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  // It drops a byte order mark and waits for characters that a chunk has cut.
  const decoder = new TextDecoder();
  let rest = '';
  let endsInCr = false;
  for await (const chunk of chunks) {
    const decoded = decoder.decode(chunk, { stream: true });
    // The CR has ended the line already; the other half of a CRLF ends no other.
    const piece = endsInCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    endsInCr = decoded === '' ? endsInCr : decoded.endsWith('\r');
    const [head = '', ...lines] = piece.split(/\r\n|\n|\r/);
    lines.unshift(rest + head);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  // What follows the last line break belongs to an event that was never finished.
}

function isKnown(name: string): name is RunEvent['event'] {
  return Object.hasOwn(eventNames, name);
}

function eventFrom(event: RunEvent['event'], data: string): RunEvent {
  // The contract says which data each event has.
  return { event, data: objectFrom(event, data) } as RunEvent;
}

function objectFrom(event: string, data: string): object {
  let cause: unknown;
  try {
    const value = JSON.parse(data) as unknown;
    if (typeof value === 'object' && value !== null) return value;
  } catch (error) {
    cause = error;
  }
  throw new InvalidResponseError(`The data of the event "${event}" is not a JSON object.`, { cause });
}
