import { throwRepeatable } from '../../db/errors.ts';
import { Problem } from '../../contract/problem.ts';
import type { Request, RequestContext, Response, Schemas } from '../../contract/operation.ts';
import { endOfStream } from '../../lib/event-bus.ts';
import { isFinished, isInProgress, refreshRun, requireRun } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { createRunStream } from './run-stream.ts';

/**
 * Responds to `runAgent` with the events of the run, or with the run: 200 when it is finished, 202 if the wait ends
 * first or the run requires action.
 */
export async function respondToRun(
  started: Response<'runAgent'>,
  { caller, headers }: Omit<Request<'runAgent'>, 'body'>,
  services: AgentServices,
  { disconnected, acceptsEventStream, mayWait, addToLog }: RequestContext,
): Promise<Response<'runAgent'>> {
  const { db, workers, shutdownSignal } = services;
  const { id: userId } = caller;
  // The cast is safe, because both the handler's reply and a reply stored under an Idempotency-Key have a run as body.
  const queued = started.body as Schemas['Run'];
  const { id, session_id: sessionId } = queued;
  addToLog({ run_id: id, session_id: sessionId });
  const replayed = { 'Idempotency-Replayed': started.headers?.['Idempotency-Replayed'] };
  const isNew = replayed['Idempotency-Replayed'] === undefined;
  // A stored reply may be old: the run may be finished by now, or deleted with its session.
  const run = isNew ? queued : await requireRun(db, { id, userId }, deletedRun).catch(throwRepeatable);
  const signal = AbortSignal.any([disconnected, shutdownSignal]);
  if (acceptsEventStream) {
    const streamed = { run, userId, until: 'requires_action' } as const;
    // A stream subscribes before a worker wakes, so that it misses nothing of a short run.
    const body = createRunStream(services, streamed, endOfStream(caller, signal));
    workers.wake();
    return { status: 200, headers: { ...replayed, 'Cache-Control': 'no-store' }, body };
  }
  workers.wake();
  const { waitMs = defaultWaitMs, applied } = readPrefer(headers.prefer);
  const waits = waitMs > 0 && mayWait();
  const read = waits
    ? waitForRun(services, run, userId, AbortSignal.any([signal, AbortSignal.timeout(waitMs)]))
    : refreshRun(db, run, userId);
  const latest = await read.catch((error: unknown) => {
    throw error instanceof Problem ? cannotFollow(error, run) : error;
  });
  if (isFinished(latest)) return { status: 200, headers: replayed, body: latest };
  const preference = { 'Preference-Applied': waits || waitMs === 0 ? applied : undefined };
  return { status: 202, headers: { ...replayed, ...preference, Location: `/v1/runs/${id}` }, body: latest };
}

/** Waits until a run is finished or requires action, or until the signal aborts. Resolves to the run. */
async function waitForRun(
  { db, runEvents }: AgentServices,
  started: Schemas['Run'],
  userId: string,
  signal: AbortSignal,
): Promise<Schemas['Run']> {
  const next = runEvents.subscribe({ id: started.id, userId, sessionId: started.session_id }, signal);
  let run = started;
  for (;;) {
    run = await refreshRun(db, run, userId);
    if (!isInProgress(run) || signal.aborted) return run;
    // Skip pieces of text, because they change nothing in the run.
    while ((await next()) === 'text');
  }
}

// Most runs end sooner. A client that wants another time sends `Prefer`.
const defaultWaitMs = 120_000;

const deletedRun =
  'The run of this Idempotency-Key was deleted with its session. Send another key to start a new run.';

/** The problem of a request whose run continues. It names the run and its session, which the client can read later. */
function cannotFollow(problem: Problem, { id, session_id }: Schemas['Run']): Problem {
  const { code, options } = problem;
  const sentence =
    'The run continues, but this request cannot follow it at the moment. Read the session of the run, or send the request again with the same Idempotency-Key.';
  return new Problem(code, sentence, { ...options, extensions: { run_id: id, session_id } });
}

// Proxies rarely allow a longer wait.
const waitMaxS = 600;

/**
 * Reads `wait` and `respond-async` from a Prefer header (RFC 7240): how long to wait for the run, and the preference that
 * the server applies, for the header Preference-Applied. If both are present, `wait` wins.
 */
export function readPrefer(header = ''): { readonly waitMs?: number; readonly applied?: string } {
  const preferences = header.split(/[,;]/).map((each) => each.trim().toLowerCase());
  const wanted = preferences.map((each) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(each)?.[1]).find(Boolean);
  const seconds = Math.min(Number(wanted ?? 0), waitMaxS);
  if (wanted !== undefined) return { waitMs: seconds * 1000, applied: `wait=${seconds}` };
  if (preferences.includes('respond-async')) return { waitMs: 0, applied: 'respond-async' };
  return {};
}
