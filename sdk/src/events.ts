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
  let text = '';
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    // A CR at the very end may be the first half of a CRLF.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop() ?? '';
    yield* lines;
  }
  // What follows the last line break belongs to an event that was never finished.
}

function isKnown(name: string): name is RunEvent['event'] {
  return Object.hasOwn(eventNames, name);
}

function eventFrom(event: RunEvent['event'], data: string): RunEvent {
  try {
    // The contract says which data each event has.
    return { event, data: JSON.parse(data) as unknown } as RunEvent;
  } catch (cause) {
    throw new InvalidResponseError(`The data of the event "${event}" is not JSON.`, { cause });
  }
}
