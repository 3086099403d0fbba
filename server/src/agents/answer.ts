import { Problem } from '../errors.ts';
import type { Call, Exchange, Reply, Schemas } from '../operations.ts';
import { readPrefer } from './prefer.ts';
import { isFinished } from './run-store.ts';
import type { AgentServices } from './services.ts';
import { runEvents } from './stream.ts';
import { waitForRun } from './wait.ts';

/** Answers for a run that has been started, now or earlier under the same key: as a stream, or when it is finished. */
export async function finishRunAgent(
  started: Reply<'runAgent'>,
  { caller, headers }: Call<'runAgent'>,
  services: AgentServices,
  { left, wantsEvents }: Exchange,
): Promise<Reply<'runAgent'>> {
  const { agents } = services;
  // The handler's reply holds the run, and so does what is remembered of it.
  const { id, session_id: sessionId } = started.body as Schemas['Run'];
  const key = { id, userId: caller.id };
  const ending = AbortSignal.any([left, agents.draining]);
  const replayed = pick(started.headers);
  const isCrowded = agents.changes.listening() >= agents.config.waitersMax;
  if (wantsEvents) {
    if (isCrowded) throw crowded(id, sessionId);
    const isNew = replayed['Idempotency-Replayed'] === undefined;
    const stream = runEvents(services, { ...key, sessionId, isNew }, ending);
    agents.queue.nudge();
    return { status: 200, headers: { ...replayed, 'Cache-Control': 'no-store' }, body: stream };
  }
  agents.queue.nudge();
  const { waitMs = agents.config.waitMs, applied } = readPrefer(headers.prefer);
  const patience = AbortSignal.timeout(isCrowded ? 0 : waitMs);
  const run = await waitForRun(services, key, AbortSignal.any([ending, patience]));
  if (!isFinished(run)) {
    const isApplied = !isCrowded || waitMs === 0;
    const waited = {
      Location: `/v1/sessions/${sessionId}`,
      'Preference-Applied': isApplied ? applied : undefined,
    };
    return { status: 202, headers: { ...replayed, ...waited }, body: run };
  }
  if (run.status === 'completed') return { status: 200, headers: replayed, body: run };
  throw failureOf(run);
}

/** The run is on its way, so whoever cannot follow it is told where to find it. */
function crowded(runId: string, sessionId: string): Problem {
  return new Problem(
    'Overloaded',
    'The run goes on, but too many follow runs on this server. Read its session, or send the request again under the same Idempotency-Key.',
    { retryAfterS: 5, about: { run_id: runId, session_id: sessionId } },
  );
}

function failureOf({ id, session_id, error }: Schemas['Run']): Problem {
  const reason = error?.message ?? 'It was cancelled.';
  return new Problem('Server Error', `The run failed. ${reason} Its messages are kept in the session.`, {
    about: { run_id: id, session_id },
  });
}

function pick(headers: Reply<'runAgent'>['headers']): { 'Idempotency-Replayed'?: string | undefined } {
  return { 'Idempotency-Replayed': headers?.['Idempotency-Replayed'] };
}
