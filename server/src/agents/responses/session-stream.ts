import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { integerMax } from '../../db/integer.ts';
import type { RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import type { Subscription, Topic } from '../../event-bus.ts';
import { limitRun } from '../../event-size.ts';
import { logOutage } from '../../log.ts';
import type { Schemas } from '../../operation.ts';
import { onAbort } from '../../until-aborted.ts';
import { findRunsSince, type SeenRuns } from '../runs/find-runs.ts';
import { isFinished, runFromRow, statusUnfinished } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { readMessages } from '../sessions/message-store.ts';
import { ownedBy, watch } from './watch.ts';

type SessionEvent = Schemas['SessionEvent'];

type StreamServices = Pick<AgentServices, 'db' | 'requestQueue' | 'sessionEvents'>;

interface StreamedSession {
  readonly session: RowKey;
  /** The sequence number of the last message that the client has. */
  readonly afterSeq: number;
  readonly signal: AbortSignal;
}

/**
 * Streams the messages of a session after a position, and its runs whenever they change, until the session is deleted
 * or the signal aborts. Everything is read from the database, so no message is lost or repeated.
 */
export function createSessionStream(
  services: StreamServices,
  streamed: StreamedSession,
): AsyncGenerator<SessionEvent, void> {
  const { session, signal } = streamed;
  // Subscribe now, so that the stream counts even before its first event is read.
  const subscription = services.sessionEvents.subscribe({ id: topicOf(session), userId: session.userId });
  // The `finally` of a generator does not run if nobody has begun to read the generator.
  onAbort(signal, subscription.close);
  return streamSession(services, streamed, subscription);
}

async function* streamSession(
  { db, requestQueue }: StreamServices,
  { session, afterSeq, signal }: StreamedSession,
  subscription: Subscription<'changed' | 'deleted'>,
): AsyncGenerator<SessionEvent, void> {
  const inTurn = <Result>(read: () => Promise<Result>): Promise<Result | undefined> =>
    requestQueue.runPiece(session.userId, signal, read);
  /** The unfinished runs that were sent, with their digests. */
  const sent = new Map<string, string>();
  let position = afterSeq;
  let seq: string | null = null;
  try {
    for (;;) {
      // Read before the messages, so that a run that has ended comes after all of its messages.
      const seen: SeenRuns = { seq, unfinished: [...sent.keys()] };
      const runs = await inTurn(() => findRunsSince(db, session, seen));
      const range = { afterSeq: position, upToSeq: integerMax, inTurn };
      for await (const { seq: id, message } of readMessages(db, session, range)) {
        position = id;
        yield { event: 'message', id: String(id), data: message };
      }
      for (const { seq: runSeq, ...row } of runs ?? []) {
        seq = runSeq;
        const run = runFromRow(row);
        const digest = hash('sha256', JSON.stringify(run));
        if (sent.get(run.id) !== digest) yield { event: 'run', data: limitRun(run) };
        if (isFinished(run)) sent.delete(run.id);
        else sent.set(run.id, digest);
      }
      if (signal.aborted || (await subscription.next(signal)).at(-1) !== 'changed') return;
    }
  } finally {
    subscription.close();
  }
}

type WatchServices = Pick<AgentServices, 'db' | 'sessionEvents' | 'logger'>;

/** Publishes changes of the sessions that requests of this process follow. Returns a function that ends this. */
export function watchSessions({ db, sessionEvents, logger }: WatchServices): () => void {
  return watch({
    bus: sessionEvents,
    findStates: (topics) => findStates(db, topics),
    updateOf: (state) => (state === undefined ? 'deleted' : 'changed'),
    onError: logOutage(logger, outage),
  });
}

interface SessionState {
  readonly message_count: number;
  /** The unfinished runs, with what changes in them. */
  readonly runs: string | null;
}

async function findStates(db: Db, topics: readonly Topic[]): Promise<ReadonlyMap<string, SessionState>> {
  const ids = topics.map(({ id, userId }) => id.slice(userId.length + 1));
  const { rows } = await sql<SessionState & { user_id: string; id: string }>`
    select session.user_id, session.id, session.message_count, (
      select string_agg(run.id || run.status || coalesce(octet_length(run.decisions::text), 0), ' ' order by run.seq)
      from runs run
      where ${ownedBy(topics, 'run.user_id')} and run.user_id = session.user_id and run.session_id = session.id
        and ${statusUnfinished}
    ) as runs
    from sessions session
    where ${ownedBy(topics, 'session.user_id')} and session.id = any(${ids}::text[])`.execute(db);
  return new Map(rows.map(({ user_id: userId, id, ...state }) => [topicOf({ userId, id }), state]));
}

/** Sessions of two users may have the same id. An id has no space. */
function topicOf({ userId, id }: RowKey): string {
  return `${userId} ${id}`;
}

const outage = {
  failed: 'the sessions that requests follow cannot be read, so their streams wait',
  recovered: 'reading the sessions that requests follow has not failed for ten seconds',
};
