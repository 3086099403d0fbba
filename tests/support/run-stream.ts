import { onTestFinished } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { readEvents } from './events.ts';
import type { SharedServer } from './server.ts';

type RunEvent = Schemas['RunEvent'];

export interface RunStream extends Stream<RunEvent> {
  /** The preview of the message that the model is writing, as clients show it. */
  preview(): { readonly messageId: string | undefined; readonly text: string };
}

interface Stream<Event> {
  /** All events that have arrived. */
  readonly events: readonly Event[];
  /** Waits until a condition holds, which is checked after each event. */
  until(condition: () => boolean): Promise<void>;
  /** Waits until the server ends the stream. Resolves to all its events. */
  readonly ended: Promise<readonly Event[]>;
}

interface StreamOptions {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The default is the token of alice. */
  readonly token?: string;
}

/** Follows a run by its id until the test has ended. */
export async function openRunStream(
  server: Pick<SharedServer, 'url' | 'token'>,
  runId: string,
  { query = '', ...options }: StreamOptions = {},
): Promise<RunStream> {
  const stream = await openStream<RunEvent>(server, `/v1/runs/${runId}${query}`, options);
  return { ...stream, preview: () => previewOf(stream.events) };
}

/** Reads a stream of events until the test has ended. */
export async function openStream<Event extends { readonly event: string }>(
  server: Pick<SharedServer, 'url' | 'token'>,
  path: string,
  { headers = {}, token }: Omit<StreamOptions, 'query'> = {},
): Promise<Stream<Event>> {
  const controller = new AbortController();
  onTestFinished(() => {
    controller.abort();
  });
  const bearer = `Bearer ${token ?? (await server.token('alice'))}`;
  const response = await fetch(server.url + path, {
    headers: { Authorization: bearer, Accept: 'text/event-stream', ...headers },
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
  return {
    events,
    until: async (condition) => {
      while (!condition()) await Promise.race([arrived.promise, ended.then(() => failEarly(events))]);
    },
    ended,
  };
}

function failEarly(events: readonly { readonly event: string }[]): never {
  throw new Error(`The stream ended early, after: ${events.map(({ event }) => event).join(', ')}`);
}

/** Combines the deltas as the contract says. */
function previewOf(events: readonly RunEvent[]): { messageId: string | undefined; text: string } {
  let preview: { messageId: string | undefined; text: string } = { messageId: undefined, text: '' };
  for (const { event, data } of events) {
    if (event !== 'message.delta') continue;
    const { message_id: messageId, offset, text } = data;
    const before = preview.messageId === messageId ? preview.text.slice(0, offset) : '';
    if (before.length !== offset)
      throw new Error(`A delta at ${offset} follows ${before.length} characters.`);
    preview = { messageId, text: before + text };
  }
  return preview;
}
