import { sql } from 'kysely';
import { isRow } from '../../db/row-key.ts';
import { integerMax, type Db, type ToolIdentities } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import type { Schemas } from '../../contract/operation.ts';
import { RuntimeFailure, type ModelUnavailable } from '../runtimes/runtime.ts';
import type { Execution } from '../services.ts';
import { appendMessage, failedCall, findRunCalls, jsonOrNull } from '../sessions/message-store.ts';
import { unknownOutcome } from '../skills/tool.ts';
import { withLease } from './lease.ts';
import { callsWithoutResult, type RunOutcome } from './next-step.ts';
import { keepPreview } from './preview.ts';

/** How the execution of a run ended. A run that waits occupies no worker. */
export type RunResult =
  | RunOutcome
  | {
      readonly status: 'requires_action';
      /** The calls that the user has to decide about, and their tools. */
      readonly calls: Schemas['ToolCall'][];
      readonly tools: ToolIdentities;
    }
  | { readonly status: 'waiting'; readonly unavailable: ModelUnavailable };

/** Records how the execution of a run ended, and notifies the streams and requests that follow the run. */
export async function recordResult(execution: Execution, result: RunResult): Promise<void> {
  const { run, active, services } = execution;
  const { db, config, runEvents } = services;
  const elapsedMs = run.executionMs + performance.now() - run.leasedMs;
  await withLease(db, run, async (transaction) => {
    if (result.status === 'waiting') {
      await waitForModel(execution, transaction, result.unavailable, config.runMs - elapsedMs);
    } else if (result.status === 'requires_action') {
      // Without `started_at`, the time limit is suspended. The database's clock decides when the calls expire.
      const expiry = sql`now() + ${config.approvalMs} * interval '1 ms'`;
      await sql`
        update runs
        set status = 'requires_action', required_action = json_build_object(
            'tool_calls', ${JSON.stringify(result.calls)}::json,
            'expires_at', to_char((${expiry}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          ),
          asked_tools = ${JSON.stringify(result.tools)}, started_at = null,
          elapsed_ms = ${Math.min(Math.round(elapsedMs), integerMax)}, waited_after_attempt = ${run.attempt}
        where ${isRow(run)}`.execute(transaction);
    } else await finish(execution, transaction, result);
  });
  if (result.status !== 'waiting' && result.status !== 'requires_action')
    report(execution, result, elapsedMs / 1000);
  // Once the run is not active here, streams read the rest from the database.
  active.run = undefined;
  runEvents.publish(run.id, 'any');
}

async function finish(
  { run, active }: Execution,
  transaction: Db,
  { status, output, error, incomplete_details: details }: RunOutcome,
): Promise<void> {
  // Keep the text that the model was writing, because the user may have read it.
  await keepPreview(transaction, run, active.preview);
  // Only a failed run can have a call without a result. A call that has begun may have taken effect, which models of
  // later runs must know.
  const calls = status === 'failed' ? callsWithoutResult(await findRunCalls(transaction, run)) : [];
  for (const { id } of calls.filter((call) => call.id === run.begun_call_id))
    await appendMessage(transaction, run, failedCall(id, unknownOutcome));
  await sql`
    update runs set status = ${status}, output = ${output ?? null}, error = ${jsonOrNull(error)},
      incomplete_details = ${jsonOrNull(details)}, completed_at = ${timestamp()}
    where ${isRow(run)}`.execute(transaction);
}

/** Counts a finished run. Logs a failure, with a stack only if this server failed, not the run or its model server. */
function report(
  { run, logger, services: { metrics } }: Execution,
  { status, error, cause }: RunOutcome,
  seconds: number,
): void {
  metrics.runs.inc({ outcome: status });
  metrics.runSeconds.observe({ outcome: status }, seconds);
  if (error === undefined) return;
  const isExpected = cause === undefined || cause instanceof RuntimeFailure;
  const reason = isExpected ? { reason: error.message, ...causeOf(cause) } : { err: cause };
  logger.warn({ runtime: run.runtime, code: error.code, ...reason }, 'a run failed');
}

/** The reason of a failure at the model server, for the log. */
function causeOf(failure: RuntimeFailure | undefined): { readonly cause?: string } {
  return failure?.cause instanceof Error ? { cause: failure.cause.message } : {};
}

/** Sets the pause before the next request to the model server. At its time limit, the run stops waiting and fails. */
async function waitForModel(
  { run, logger }: Execution,
  transaction: Db,
  unavailable: ModelUnavailable,
  leftMs: number,
): Promise<void> {
  const { reason, message, retryAfterMs } = unavailable;
  const failures = (run.waiting?.failures ?? 0) + 1;
  const ms = Math.min(pauseMs(failures, retryAfterMs, Math.random()), Math.max(0, leftMs) + 10);
  const waiting = { reason, message, failures, retry_after_s: Math.ceil(ms / 100) / 10 };
  await sql`
    update runs
    set waiting = (${JSON.stringify(waiting)}::jsonb || jsonb_build_object('until', now() + ${ms} * interval '1 ms'))::json,
      waited_after_attempt = ${run.attempt}
    where ${isRow(run)}`.execute(transaction);
  if (failures === 1)
    logger.warn(
      { runtime: run.runtime, reason, ...causeOf(unavailable) },
      'a run waits for its model server',
    );
}

const firstPauseMs = 500;
const pauseMsMax = 30_000;
const retryAfterMsMax = 60_000;

/**
 * The pause before the next request to a server. It grows with each consecutive failure. Half of it is random, so that
 * runs that failed together do not retry together. If the server says how long to wait, a quarter of the pause is added,
 * so that a wait of zero does not cause a burst of requests. `random` is a number from 0 to 1.
 */
export function pauseMs(failures: number, retryAfterMs: number | undefined, random: number): number {
  const growingMs = Math.min(pauseMsMax, firstPauseMs * 2 ** (failures - 1)) * (0.5 + random / 2);
  return retryAfterMs === undefined ? growingMs : Math.min(retryAfterMsMax, retryAfterMs + growingMs / 4);
}
