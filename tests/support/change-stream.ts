import { setTimeout as pause } from 'node:timers/promises';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { readEvents } from './events.ts';
import type { SharedServer } from './server.ts';

type Change = Schemas['Change'];
type ChangeEvent = Schemas['ChangeEvent'];

export interface ChangeStream {
  readonly status: number;
  readonly headers: Headers;
  /** The position in the event `ready`. */
  readonly start: string;
  /** The changes that have arrived since the last call. */
  drain(): Change[];
  /** The next `count` changes. Waits until they have arrived; fails after the client's deadline. */
  take(count: number): Promise<Change[]>;
  /** Waits until the server ends the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a stream of changes and waits for its first event. */
export async function openChangeStream(
  server: Pick<SharedServer, 'url'>,
  token: string,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ChangeStream> {
  const controller = new AbortController();
  const response = await fetch(`${server.url}/api/changes?${new URLSearchParams(query).toString()}`, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  });
  const events = readEvents<ChangeEvent>(response);
  const first = await events.next();
  if (first.done === true || first.value.event !== 'ready') throw new Error('The stream is not ready.');
  const changes: Change[] = [];
  const ended = (async () => {
    for await (const event of events) if (event.event === 'change') changes.push(event.data);
  })();
  ended.catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    start: first.value.id,
    drain: () => changes.splice(0),
    take: async (count) => {
      const deadline = AbortSignal.timeout(120_000);
      while (changes.length < count) await pause(10, undefined, { signal: deadline });
      return changes.splice(0, count);
    },
    ended,
    close: () => {
      controller.abort();
    },
  };
}
