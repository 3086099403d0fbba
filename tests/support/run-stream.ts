import { onTestFinished } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { followEvents, type EventStream } from './events.ts';
import type { SharedServer } from './server.ts';

type RunEvent = Schemas['RunEvent'];

export interface RunStream extends EventStream<RunEvent> {
  /** The preview of the message that the model is writing, as clients show it. */
  preview(): { readonly messageId: string | undefined; readonly text: string };
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
): Promise<EventStream<Event>> {
  const stream = await followEvents<Event>(
    server.url + path,
    token ?? (await server.token('alice')),
    headers,
  );
  onTestFinished(stream.close);
  return stream;
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
