import type { Schemas } from '../../server/src/operation.ts';

type RunEvent = Schemas['RunEvent'];

/** The events of a stream that has been read to its end. */
export function eventsFrom(text: string): RunEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map(eventFrom);
}

/** A line that says in short what happened. */
export function outline(events: readonly RunEvent[]): string[] {
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
  // Tests compare what is in it, so a wrong shape does not stay hidden.
  return { ...others, data: JSON.parse(data) as unknown } as RunEvent;
}
