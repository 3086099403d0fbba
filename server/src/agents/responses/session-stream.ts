import { hash } from 'node:crypto';
import type { RowKey } from '../../db/rows.ts';
import { limitRun } from '../../lib/event-size.ts';
import type { Schemas } from '../../contract/operation.ts';
import { findRunsFrom, isFinished, runFromRow } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { readMessages } from '../sessions/message-store.ts';
import { topicOfSession, type RunUpdate } from './run-events.ts';

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
  const next = runEvents.subscribe({ id: topicOfSession(session), userId, sessionId: id }, signal);
  /** The digests of the runs that were read last, by run id. */
  let sent: ReadonlyMap<string, string> = new Map();
  let position = afterSeq;
  let firstSeq: string | null = null;
  return (async function* () {
    for (let update: RunUpdate | undefined = 'any'; update !== undefined; update = await next()) {
      // Read the runs before the messages, so that a run that has ended comes after all of its messages.
      const runs = await requestQueue.run(userId, () => findRunsFrom(db, session, firstSeq), {
        waitMs: Infinity,
      });
      const [first, latest] = [runs[0]?.seq, runs.at(-1)?.seq];
      // If the first run is missing, the session was deleted, even if a later run has created one with the same id.
      if (first === undefined || first !== (firstSeq ?? first)) return;
      const messages = readMessages(db, requestQueue, session, { afterSeq: position }, signal);
      for await (const { seq, message } of messages) {
        position = seq;
        yield { event: 'message', id: String(seq), data: message };
      }
      if (signal.aborted) return;
      const digests = new Map<string, string>();
      for (const { seq: _, ...row } of runs) {
        const run = runFromRow(row);
        digests.set(run.id, hash('sha256', JSON.stringify(run)));
        if (sent.get(run.id) !== digests.get(run.id)) yield { event: 'run', data: limitRun(run) };
      }
      sent = digests;
      firstSeq = runs.find((run) => !isFinished(run))?.seq ?? latest ?? null;
    }
  })();
}
