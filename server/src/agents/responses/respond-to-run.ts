import { isWithinShare } from '../../caller-share.ts';
import { Problem } from '../../errors.ts';
import type { Call, ResponseContext, Reply, Schemas } from '../../operation.ts';
import { readPrefer } from './prefer.ts';
import { isFinished, requireRun } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { createRunStream } from './run-stream.ts';
import { refreshRun, waitForRun } from './wait-for-run.ts';

/**
 * Responds to `runAgent` with the events of the run, or with the run: 200 when it is finished, 202 when the wait ends first
 * or the run requires action.
 */
export async function respondToRun(
  started: Reply<'runAgent'>,
  { caller: { id: userId }, headers }: Call<'runAgent'>,
  services: AgentServices,
  { disconnected, acceptsEventStream, addToLog }: ResponseContext,
): Promise<Reply<'runAgent'>> {
  const { agents } = services;
  // The body is the run, both in the reply of the handler and in one stored under an Idempotency-Key.
  const queued = started.body as Schemas['Run'];
  const { id, session_id: sessionId } = queued;
  addToLog({ run_id: id, session_id: sessionId });
  const replayed = replayedHeader(started.headers);
  const isNew = replayed['Idempotency-Replayed'] === undefined;
  // The run of an earlier request may be finished, or deleted with its session.
  const run = isNew ? queued : await requireRun(services.db, { id, userId }, deletedRun);
  const signal = AbortSignal.any([disconnected, agents.shutdownSignal]);
  const mayWait = isWithinShare(agents.runEvents.waiterCount, agents.config.waitersMax, userId);
  if (acceptsEventStream && !mayWait) {
    agents.queue.wakeWorker();
    throw tooManyWaiters(id, sessionId);
  }
  if (acceptsEventStream) {
    const stream = createRunStream(services, { run, userId, isNew }, signal);
    // Only now, so that the stream misses nothing of a short run.
    agents.queue.wakeWorker();
    return { status: 200, headers: { ...replayed, 'Cache-Control': 'no-store' }, body: stream };
  }
  agents.queue.wakeWorker();
  const { waitMs = agents.config.waitMs, applied } = readPrefer(headers.prefer);
  const latest =
    mayWait && waitMs > 0
      ? await waitForRun(services, { run, userId }, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]))
      : await refreshRun(services.db, run, userId);
  if (!isFinished(latest)) {
    const isApplied = mayWait || waitMs === 0;
    const acceptedHeaders = {
      Location: `/v1/runs/${id}`,
      'Preference-Applied': isApplied ? applied : undefined,
    };
    return { status: 202, headers: { ...replayed, ...acceptedHeaders }, body: latest };
  }
  return { status: 200, headers: replayed, body: latest };
}

const deletedRun =
  'The run of this Idempotency-Key was deleted with its session. Send another key to start a new run.';

/** The run continues, so the problem names it and its session. */
function tooManyWaiters(runId: string, sessionId: string): Problem {
  return new Problem(
    'Overloaded',
    'The run continues, but too many requests are waiting for runs, yours or those of all callers. Read its session, or send the request again with the same Idempotency-Key.',
    { retryAfterS: 5, extensions: { run_id: runId, session_id: sessionId } },
  );
}

function replayedHeader(headers: Reply<'runAgent'>['headers']): {
  'Idempotency-Replayed'?: string | undefined;
} {
  return { 'Idempotency-Replayed': headers?.['Idempotency-Replayed'] };
}
