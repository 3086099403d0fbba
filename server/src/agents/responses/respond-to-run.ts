import { Problem } from '../../errors.ts';
import type { Call, ResponseContext, Reply, Schemas } from '../../operation.ts';
import { readPrefer } from './prefer.ts';
import { isFinished } from '../runs/run-store.ts';
import type { AgentServices, Agents } from '../services.ts';
import { runEvents } from './run-stream.ts';
import { runOf, waitForRun } from './wait-for-run.ts';

/** Answers for a run that has been started, now or earlier under the same key: as a stream, or when it is finished. */
export async function respondToRun(
  started: Reply<'runAgent'>,
  { caller, headers }: Call<'runAgent'>,
  services: AgentServices,
  { disconnected: left, acceptsEventStream: wantsEvents }: ResponseContext,
): Promise<Reply<'runAgent'>> {
  const { agents } = services;
  // The handler's reply holds the run, and so does what is remembered of it.
  const { id, session_id: sessionId } = started.body as Schemas['Run'];
  const key = { id, userId: caller.id };
  const ending = AbortSignal.any([left, agents.draining]);
  const replayed = pick(started.headers);
  const mayWait = hasPlace(agents, caller.id);
  if (wantsEvents) {
    if (!mayWait) throw crowded(id, sessionId);
    const isNew = replayed['Idempotency-Replayed'] === undefined;
    const stream = runEvents(services, { ...key, sessionId, isNew }, ending);
    agents.queue.nudge();
    return { status: 200, headers: { ...replayed, 'Cache-Control': 'no-store' }, body: stream };
  }
  agents.queue.nudge();
  const { waitMs = agents.config.waitMs, applied } = readPrefer(headers.prefer);
  const run =
    mayWait && waitMs > 0
      ? await waitForRun(services, key, AbortSignal.any([ending, AbortSignal.timeout(waitMs)]))
      : await runOf(services.db, key);
  if (!isFinished(run)) {
    const isApplied = mayWait || waitMs === 0;
    const waited = {
      Location: `/v1/sessions/${sessionId}`,
      'Preference-Applied': isApplied ? applied : undefined,
    };
    return { status: 202, headers: { ...replayed, ...waited }, body: run };
  }
  if (run.status === 'completed') return { status: 200, headers: replayed, body: run };
  throw failureOf(run);
}

/** Whether one more request of the caller may wait for a run or follow one: one caller must not take all places. */
function hasPlace({ changes, config: { waitersMax } }: Agents, callerId: string): boolean {
  const ofCallerMax = Math.max(1, Math.floor(waitersMax / 10));
  return changes.listening() < waitersMax && changes.listening(callerId) < ofCallerMax;
}

/** The run is on its way, so whoever cannot follow it is told where to find it. */
function crowded(runId: string, sessionId: string): Problem {
  return new Problem(
    'Overloaded',
    'The run goes on, but too many requests follow runs on this server, of all callers or of yours. Read its session, or send the request again under the same Idempotency-Key.',
    { retryAfterS: 5, extensions: { run_id: runId, session_id: sessionId } },
  );
}

function failureOf({ id, session_id, error }: Schemas['Run']): Problem {
  const reason = error?.message ?? 'It was cancelled.';
  return new Problem('Server Error', `The run failed. ${reason} Its messages are kept in the session.`, {
    extensions: { run_id: id, session_id },
  });
}

function pick(headers: Reply<'runAgent'>['headers']): { 'Idempotency-Replayed'?: string | undefined } {
  return { 'Idempotency-Replayed': headers?.['Idempotency-Replayed'] };
}
