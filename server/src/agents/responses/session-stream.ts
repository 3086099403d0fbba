import { hash } from 'node:crypto';
import { integerMax } from '../../db/integer.ts';
import type { RowKey } from '../../db/row-key.ts';
import type { Subscription } from '../../event-bus.ts';
import { limitRun } from '../../event-size.ts';
import type { Schemas } from '../../operation.ts';
import { onAbort } from '../../until-aborted.ts';
import { findRunsSince, type SeenRuns } from '../runs/find-runs.ts';
import { isFinished, runFromRow } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { readMessages } from '../sessions/message-store.ts';
import { topicOfSession, type RunUpdate } from './run-event-bus.ts';

type SessionEvent = Schemas['SessionEvent'];

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
  services: AgentServices,
  streamed: StreamedSession,
): AsyncGenerator<SessionEvent, void> {
  const { session, signal } = streamed;
  // Subscribe now, so that the stream counts even before its first event is read.
  const topic = { id: topicOfSession(session), userId: session.userId, sessionId: session.id };
  const subscription = services.runEvents.subscribe(topic);
  // The `finally` of a generator does not run if nobody has begun to read the generator.
  onAbort(signal, subscription.close);
  return streamSession(services, streamed, subscription);
}

async function* streamSession(
  { db, requestQueue }: AgentServices,
  { session, afterSeq, signal }: StreamedSession,
  subscription: Subscription<RunUpdate>,
): AsyncGenerator<SessionEvent, void> {
  const inTurn = <Result>(read: () => Promise<Result>): Promise<Result | undefined> =>
    requestQueue.runPiece(session.userId, signal, read);
  /** The runs that were sent and may change, with their digests, and the latest run. */
  const sent = new Map<string, string>();
  let position = afterSeq;
  let seq: string | null = null;
  try {
    while (!signal.aborted) {
      // Read before the messages, so that a run that has ended comes after all of its messages.
      const seen: SeenRuns = { seq, runIds: [...sent.keys()] };
      const runs = (await inTurn(() => findRunsSince(db, session, seen))) ?? [];
      const range = { afterSeq: position, upToSeq: integerMax, inTurn };
      for await (const { seq: id, message } of readMessages(db, session, range)) {
        position = id;
        yield { event: 'message', id: String(id), data: message };
      }
      for (const { seq: runSeq, ...row } of runs) {
        seq = runSeq;
        const run = runFromRow(row);
        const digest = hash('sha256', JSON.stringify(run));
        if (sent.get(run.id) !== digest) yield { event: 'run', data: limitRun(run) };
        if (isFinished(run) && row.id !== runs.at(-1)?.id) sent.delete(run.id);
        else sent.set(run.id, digest);
      }
      // Every session has a run, unless it was deleted.
      if (runs.length === 0) return;
      await subscription.next(signal);
    }
  } finally {
    subscription.close();
  }
}
