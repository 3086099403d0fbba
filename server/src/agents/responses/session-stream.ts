import { hash } from 'node:crypto';
import type { RowKey } from '../../db/row-key.ts';
import { streamOf } from '../../lib/event-bus.ts';
import { limitRun } from '../../lib/event-size.ts';
import type { Schemas } from '../../contract/operation.ts';
import { findRunsSince, isFinished, runFromRow } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { readMessages } from '../sessions/message-store.ts';
import { topicOfSession } from './run-events.ts';

/**
 * Streams the messages of a session after a position, and its runs whenever they change, until the session is deleted
 * or the signal aborts. Everything is read from the database, so no message is lost or repeated.
 */
export function createSessionStream(
  { db, runEvents, requestQueue }: AgentServices,
  session: RowKey,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<Schemas['SessionEvent'], void> {
  const { id, userId } = session;
  const subscription = runEvents.subscribe({ id: topicOfSession(session), userId, sessionId: id });
  /** The digests, by run id, of the sent runs that may still change, and of the latest run. */
  const sent = new Map<string, string>();
  let position = afterSeq;
  let latestSeq: string | null = null;
  return streamOf(subscription, signal, async function* (next) {
    for (; !signal.aborted; await next()) {
      // Read the runs before the messages, so that a run that has ended comes after all of its messages.
      const read = () => findRunsSince(db, session, latestSeq, [...sent.keys()]);
      const runs = await requestQueue.runPiece(userId, signal, read);
      // Without the latest run, the session was deleted, even if a later run has made one with the same id.
      if (!runs.some((run) => sent.size === 0 || sent.has(run.id))) return;
      const messages = readMessages(db, requestQueue, session, { afterSeq: position }, signal);
      for await (const { seq, message } of messages) {
        position = seq;
        yield { event: 'message', id: String(seq), data: message };
      }
      for (const { seq, ...row } of runs) {
        latestSeq = seq;
        const run = runFromRow(row);
        const digest = hash('sha256', JSON.stringify(run));
        if (sent.get(run.id) !== digest) yield { event: 'run', data: limitRun(run) };
        if (isFinished(run) && row.id !== runs.at(-1)?.id) sent.delete(run.id);
        else sent.set(run.id, digest);
      }
    }
  });
}
