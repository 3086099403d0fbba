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

export interface EventStream<Event> {
  readonly status: number;
  readonly headers: Headers;
  /** The events that have arrived. */
  readonly events: Event[];
  /** Waits until a condition holds, which is checked after each event. */
  readonly until: (condition: () => boolean) => Promise<void>;
  /** Waits until the server ends the stream. Resolves to its events. */
  readonly ended: Promise<readonly Event[]>;
  readonly close: () => void;
}

/** Opens a stream of events, and reads it until it ends or is closed. */
export async function followEvents<Event extends { readonly event: string }>(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream<Event>> {
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  });
  if (response.status !== 200) throw new Error(`The stream was answered ${response.status}.`);
  const events: Event[] = [];
  let arrived = Promise.withResolvers<undefined>();
  const ended = (async () => {
    for await (const event of readEvents<Event>(response)) {
      events.push(event);
      arrived.resolve(undefined);
      arrived = Promise.withResolvers();
    }
    return events;
  })();
  ended.catch(() => undefined);
  const failEarly = (): never => {
    throw new Error(`The stream ended early, after: ${events.map(({ event }) => event).join(', ')}`);
  };
  return {
    ...{ status: response.status, headers: response.headers, events, ended },
    until: async (condition) => {
      while (!condition()) await Promise.race([arrived.promise, ended.then(failEarly)]);
    },
    close: () => {
      controller.abort();
    },
  };
}

function fieldsOf(block: string): object {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const { data = 'null', ...others } = fields;
  return { ...others, data: JSON.parse(data) as unknown };
}
