import { ConnectionError } from './errors.ts';
import { openEventStream, type EventNames } from './event-stream.ts';
import { listChanges } from './generated/operations.ts';
import type { RequestOptions, StreamState } from './options.ts';
import { pageOrigin } from './page.ts';
import { reopenStream } from './reopened-stream.ts';
import type { Change, ChangeEvent, ChangeQuery } from './resources.ts';
import type { Transport } from './transport.ts';

/** A message to the tabs about their shared stream. */
export type Message =
  | { readonly kind: 'hello' }
  | { readonly kind: 'change'; readonly change: Change }
  | StateMessage
  | { readonly kind: 'failure'; readonly error: unknown };

interface StateMessage {
  readonly kind: 'state';
  readonly state: StreamState;
  /** The position where the next holder of the stream begins. */
  readonly cursor: string | undefined;
}

type Listener = (message: Message) => void;

/** The browser APIs with which tabs share a stream. */
interface Tabs {
  readonly locks: {
    request(name: string, options: { signal: AbortSignal }, lead: () => Promise<void>): Promise<void>;
  };
  readonly Channel: new (name: string) => {
    onmessage: ((event: { readonly data: Message }) => void) | null;
    postMessage(message: Message): void;
    close(): void;
  };
}

/** Undefined outside browsers, and in pages without https. */
function findTabs(): Tabs | undefined {
  // Node has both APIs, with other types, but it has no tabs.
  const { navigator, BroadcastChannel: Channel } = globalThis as unknown as {
    readonly navigator?: { readonly locks?: Tabs['locks'] };
    readonly BroadcastChannel?: Tabs['Channel'];
  };
  const locks = navigator?.locks;
  if (pageOrigin() === undefined || locks === undefined || Channel === undefined) return undefined;
  return { locks, Channel };
}

/** A stream that tabs share, identified by the names of its lock and channel. */
export interface SharedStream {
  readonly name: string;
  readonly tabs: Tabs;
}

/** The stream that this user's tabs of the same origin share; undefined if tabs cannot share one. */
export async function findSharedStream(
  { options: { baseUrl, tokens } }: Transport,
  filters: Omit<ChangeQuery, 'after'>,
): Promise<SharedStream | undefined> {
  const tabs = findTabs();
  if (tabs === undefined) return undefined;
  const user = userOf(await tokens.get());
  if (user === undefined) return undefined;
  return { name: JSON.stringify(['worktable', baseUrl, user, filters]), tabs };
}

/** The issuer and the user of a token; undefined if it is not a JWT. */
function userOf(token: string): unknown {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const { iss, sub } = JSON.parse(atob(payload)) as { readonly iss?: string; readonly sub?: string };
    return sub && [iss, sub];
  } catch {
    return undefined;
  }
}

/** This tab's membership in a shared stream. All loops of the tab use it. */
interface Membership {
  readonly listeners: Set<Listener>;
  readonly leave: () => void;
  current: StateMessage | undefined;
}

const memberships = new Map<string, Membership>();

/** Listens to a shared stream, which one of the tabs holds. Returns a function that stops listening. */
export function join(
  transport: Transport,
  shared: SharedStream,
  filters: Omit<ChangeQuery, 'after'>,
  listener: Listener,
): () => void {
  const { name } = shared;
  const membership = memberships.get(name) ?? becomeMember(transport, shared, filters);
  memberships.set(name, membership);
  membership.listeners.add(listener);
  if (membership.current !== undefined) listener(membership.current);
  return () => {
    membership.listeners.delete(listener);
    if (membership.listeners.size > 0) return;
    if (memberships.get(name) === membership) memberships.delete(name);
    membership.leave();
  };
}

function becomeMember(
  transport: Transport,
  { name, tabs: { locks, Channel } }: SharedStream,
  filters: Omit<ChangeQuery, 'after'>,
): Membership {
  const channel = new Channel(name);
  const controller = new AbortController();
  const { signal } = controller;
  let cursor: string | undefined;
  let isLeader = false;
  const membership: Membership = {
    listeners: new Set(),
    current: undefined,
    leave: () => {
      controller.abort();
      channel.close();
    },
  };
  const receive = (message: Message): void => {
    if (message.kind === 'change') ({ cursor } = message.change);
    if (message.kind === 'state') {
      cursor = message.cursor ?? cursor;
      membership.current = message;
    }
    for (const listener of membership.listeners) listener(message);
  };
  const announce = (message: Message): void => {
    channel.postMessage(message);
    receive(message);
  };
  channel.onmessage = ({ data: message }) => {
    if (message.kind !== 'hello') receive(message);
    else if (isLeader && membership.current !== undefined)
      channel.postMessage({ ...membership.current, cursor });
  };
  channel.postMessage({ kind: 'hello' });
  const lead = async (): Promise<void> => {
    isLeader = true;
    try {
      const onState = (state: StreamState): void => {
        if (state.state !== 'live') announce({ kind: 'state', state, cursor });
      };
      const query = { ...filters, after: cursor ?? 'now' };
      const events = followChanges(transport, query, { signal, onState, isOfOnePage: false });
      for await (const { event, data } of events)
        announce(
          event === 'ready'
            ? { kind: 'state', state: { state: 'live' }, cursor: data.cursor }
            : { kind: 'change', change: data },
        );
    } catch (error) {
      if (signal.aborted) return;
      // A new loop must not find this membership, which has ended.
      memberships.delete(name);
      receive({ kind: 'failure', error });
    }
  };
  // When the holder leaves, is closed or crashes, the browser gives the lock to the next tab.
  locks.request(name, { signal }, lead).catch(() => undefined);
  return membership;
}

/** Options of `tasks.changes`. `onState` throws no error. */
export interface FollowOptions extends RequestOptions {
  readonly onState: (state: StreamState) => void;
}

const changeEvents: EventNames<ChangeEvent> = { ready: true, change: true };

/** The events of a stream of changes. A stream of a single page may be closed while the page is hidden. */
export function followChanges(
  transport: Transport,
  { after, ...filters }: ChangeQuery,
  {
    deadlineMs = Infinity,
    isOfOnePage,
    onState,
    ...options
  }: FollowOptions & { readonly isOfOnePage: boolean },
): AsyncGenerator<ChangeEvent, void, undefined> {
  const query = (): ChangeQuery & { limit: number } => ({ ...filters, after, limit: 1 });
  return reopenStream<ChangeEvent>(
    transport,
    {
      operation: 'listChanges',
      open: (limited) =>
        openEventStream(transport, listChanges, { query: query(), options: limited }, changeEvents),
      async receive(event, limited) {
        const isWhole = event.event !== 'change' || event.data.truncated !== true;
        const [change] = isWhole
          ? []
          : (await transport.send(listChanges, { query: query(), options: limited })).changes;
        // The server may have deleted the entry. The stream that is opened next then begins after it.
        if (!isWhole && change?.id !== event.data.id)
          throw new ConnectionError('A change that no event can hold cannot be read.');
        after = event.data.cursor;
        if (event.event === 'ready') onState({ state: 'live' });
        return change === undefined || event.event === 'ready' ? event : { ...event, data: change };
      },
      // "now" becomes a position only when the stream is open, so such a stream is not paused before.
      mayPause: () => isOfOnePage && after !== 'now',
    },
    { ...options, onState, deadlineAtMs: Date.now() + deadlineMs, hasBegun: true },
  );
}
