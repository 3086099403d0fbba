import { Problem } from '../../errors.ts';
import type { Call, ResponseContext, Reply, Schemas } from '../../operation.ts';
import { readPrefer } from './prefer.ts';
import { isFinished } from '../runs/run-store.ts';
import type { AgentServices, Agents } from '../services.ts';
import { createRunStream } from './run-stream.ts';
import { getRun, waitForRun } from './wait-for-run.ts';

/**
 * Responds to `runAgent` with the events of the run, or with the run: 200 when it is completed, 202 when the wait ends first.
 * A failed run is thrown as a problem.
 */
export async function respondToRun(
  started: Reply<'runAgent'>,
  { caller, headers }: Call<'runAgent'>,
  services: AgentServices,
  { disconnected, acceptsEventStream }: ResponseContext,
): Promise<Reply<'runAgent'>> {
  const { agents } = services;
  // The body is the run, both in the reply of the handler and in one stored under an Idempotency-Key.
  const { id, session_id: sessionId } = started.body as Schemas['Run'];
  const key = { id, userId: caller.id };
  const signal = AbortSignal.any([disconnected, agents.shutdownSignal]);
  const replayed = replayedHeader(started.headers);
  const mayWait = isBelowWaiterLimit(agents, caller.id);
  if (acceptsEventStream && !mayWait) {
    agents.queue.wakeWorker();
    throw tooManyWaiters(id, sessionId);
  }
  if (acceptsEventStream) {
    const isNew = replayed['Idempotency-Replayed'] === undefined;
    const stream = createRunStream(services, { ...key, sessionId, isNew }, signal);
    // Only now, so that the stream misses nothing of a short run.
    agents.queue.wakeWorker();
    return { status: 200, headers: { ...replayed, 'Cache-Control': 'no-store' }, body: stream };
  }
  agents.queue.wakeWorker();
  const { waitMs = agents.config.waitMs, applied } = readPrefer(headers.prefer);
  const run =
    mayWait && waitMs > 0
      ? await waitForRun(services, key, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]))
      : await getRun(services.db, key);
  if (!isFinished(run)) {
    const isApplied = mayWait || waitMs === 0;
    const acceptedHeaders = {
      Location: `/v1/sessions/${sessionId}`,
      'Preference-Applied': isApplied ? applied : undefined,
    };
    return { status: 202, headers: { ...replayed, ...acceptedHeaders }, body: run };
  }
  if (run.status === 'completed') return { status: 200, headers: replayed, body: run };
  throw runFailure(run);
}

/** Whether one more request of the caller may wait. A caller may have a tenth of the waiters, so one cannot take all. */
function isBelowWaiterLimit({ runEvents, config: { waitersMax } }: Agents, callerId: string): boolean {
  const waitersPerCallerMax = Math.max(1, Math.floor(waitersMax / 10));
  return runEvents.waiterCount() < waitersMax && runEvents.waiterCount(callerId) < waitersPerCallerMax;
}

/** The run continues, so the problem names it and its session. */
function tooManyWaiters(runId: string, sessionId: string): Problem {
  return new Problem(
    'Overloaded',
    'The run continues, but too many requests are waiting for runs, yours or those of all callers. Read its session, or send the request again with the same Idempotency-Key.',
    { retryAfterS: 5, extensions: { run_id: runId, session_id: sessionId } },
  );
}

function runFailure({ id, session_id, error }: Schemas['Run']): Problem {
  const reason = error?.message ?? 'It was cancelled.';
  return new Problem('Server Error', `The run failed. ${reason} Its messages are kept in the session.`, {
    extensions: { run_id: id, session_id },
  });
}

function replayedHeader(headers: Reply<'runAgent'>['headers']): {
  'Idempotency-Replayed'?: string | undefined;
} {
  return { 'Idempotency-Replayed': headers?.['Idempotency-Replayed'] };
}
