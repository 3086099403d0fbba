import type { Schemas } from '../../server/src/operation.ts';

type RunEvent = Schemas['RunEvent'];

/** Parses the text of a complete event stream. */
export function eventsFrom(text: string): RunEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map(eventFrom);
}

/** Summarizes each event in a line. */
export function summarizeEvents(events: readonly RunEvent[]): string[] {
  return events.map(({ event, data }) => {
    if (event === 'message') return `${event} ${data.role}`;
    return event === 'message.delta' ? `${event} ${data.text}` : `${event} ${data.status}`;
  });
}

function eventFrom(block: string): RunEvent {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const { data = 'null', ...others } = fields;
  // Tests compare the fields, so a wrong shape fails them.
  return { ...others, data: JSON.parse(data) as unknown } as RunEvent;
}
