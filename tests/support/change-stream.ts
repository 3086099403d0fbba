import type { Schemas } from '../../server/src/contract/operation.ts';
import { followEvents, type EventStream } from './events.ts';

type Change = Schemas['Change'];
type ChangeEvent = Schemas['ChangeEvent'];

export interface ChangeStream extends Omit<EventStream<ChangeEvent>, 'events' | 'until'> {
  /** The position in the event `ready`. */
  readonly start: string;
  /** The changes that have arrived since the last call, or the first `count` of them. */
  drain(count?: number): Change[];
  /** The next `count` changes. Waits until they have arrived. */
  take(count: number): Promise<Change[]>;
}

/** Opens a stream of changes and waits for its first event. */
export async function openChangeStream(
  { url }: { readonly url: string },
  token: string,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ChangeStream> {
  const address = `${url}/api/changes?${new URLSearchParams(query).toString()}`;
  const { events, until, ...stream } = await followEvents<ChangeEvent>(address, token, headers);
  await until(() => events.length > 0);
  const [first] = events.splice(0, 1);
  if (first?.event !== 'ready') throw new Error('The stream is not ready.');
  const drain = (count = Infinity): Change[] =>
    events.splice(0, count).flatMap(({ event, data }) => (event === 'change' ? [data] : []));
  const take = async (count: number): Promise<Change[]> => {
    await until(() => events.length >= count);
    return drain(count);
  };
  return { ...stream, start: first.id, drain, take };
}
