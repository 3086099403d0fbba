import type { Schemas } from '../../server/src/contract/operation.ts';

type RunEvent = Schemas['RunEvent'];

/** Parses the text of a complete event stream. */
export function eventsFrom(text: string): RunEvent[] {
  // This cast is unchecked, but tests compare the fields, and fail if the shape is wrong.
  return eventFieldsFrom(text) as RunEvent[];
}

/** The fields of each event in a stream. */
export function eventFieldsFrom(text: string): object[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map(fieldsOf);
}

/** Summarizes each event in one line. */
export function summarizeEvents(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => {
    if (event === 'message') return `${event} ${data.role}`;
    if (event === 'message.delta') return `${event} ${data.text}`;
    if (event === 'run.warning') return `${event} ${data.warnings.map(({ code }) => code).join()}`;
    if (event === 'run.queued') return `${event} ${data.waits_for.status}`;
    return event === 'run.waiting' ? `${event} ${data.reason}` : `${event} ${data.status}`;
  });
}

/** Yields the events of a stream as they arrive. */
export async function* readEvents<Event>(response: Response): AsyncGenerator<Event, void> {
  let text = '';
  for await (const chunk of (response.body ?? new ReadableStream<Uint8Array>()).pipeThrough(
    new TextDecoderStream(),
  )) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) if (block.startsWith('event: ')) yield fieldsOf(block) as Event;
  }
}

function fieldsOf(block: string): object {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const { data = 'null', ...others } = fields;
  return { ...others, data: JSON.parse(data) as unknown };
}
