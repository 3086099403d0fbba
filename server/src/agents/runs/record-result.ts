import { sql, type RawBuilder } from 'kysely';
import type { AgentsConfig } from '../../config/config.ts';
import { isRow } from '../../db/rows.ts';
import { integerMax, type ToolIdentities } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import type { Schemas } from '../../contract/operation.ts';
import { RuntimeFailure, type ModelUnavailable } from '../runtimes/runtime.ts';
import type { Execution } from '../services.ts';
import { jsonOrNull } from '../sessions/message-store.ts';
import { withLease, type LeasedRun } from './lease.ts';
import type { RunOutcome } from './next-step.ts';
import { endLog } from './preview.ts';

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
  const elapsedMs = run.executionMs + performance.now() - run.leasedMs;
  await withLease(services.db, run, async (transaction) => {
    if (result.status === 'failed') await endLog(transaction, run, active.preview);
    const changes = changesOf(result, run, services.config, elapsedMs);
    await sql`update runs set ${changes} where ${isRow(run)}`.execute(transaction);
  });
  report(execution, result);
  // Once the run is not active here, streams read the rest from the database.
  active.run = undefined;
  services.runEvents.publish(run.id, 'any');
}

function changesOf(
  result: RunResult,
  { attempt, waiting: earlier }: LeasedRun,
  { runMs, approvalMs }: AgentsConfig,
  elapsedMs: number,
): RawBuilder<unknown> {
  if (result.status === 'waiting') {
    const { reason, message, retryAfterMs } = result.unavailable;
    const failures = (earlier?.failures ?? 0) + 1;
    // At its time limit, the run stops waiting and fails.
    const ms = Math.min(pauseMs(failures, retryAfterMs, Math.random()), Math.max(0, runMs - elapsedMs) + 10);
    const waiting = { reason, message, failures, retry_after_s: Math.ceil(ms / 100) / 10 };
    const end = sql`jsonb_build_object('until', now() + ${ms} * interval '1 ms')`;
    return sql`
      waiting = (${JSON.stringify(waiting)}::jsonb || ${end})::json, waited_after_attempt = ${attempt}`;
  }
  if (result.status === 'requires_action') {
    // Without `started_at`, the time limit is suspended. The database's clock decides when the calls expire.
    const expiry = sql`now() + ${approvalMs} * interval '1 ms'`;
    return sql`
      status = 'requires_action', required_action = json_build_object(
        'tool_calls', ${JSON.stringify(result.calls)}::json,
        'expires_at', to_char((${expiry}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ),
      asked_tools = ${JSON.stringify(result.tools)}, started_at = null,
      elapsed_ms = ${Math.min(Math.round(elapsedMs), integerMax)}, waited_after_attempt = ${attempt}`;
  }
  const { status, output = null, error, incomplete_details: details } = result;
  return sql`
    status = ${status}, output = ${output}, error = ${jsonOrNull(error)},
    incomplete_details = ${jsonOrNull(details)}, completed_at = ${timestamp()}`;
}

/** Logs and counts a result. Logs a stack only if this server failed, not if the run or its model server failed. */
function report({ run, logger, services: { metrics } }: Execution, result: RunResult): void {
  const { runtime } = run;
  const causeOf = ({ cause }: Error): object => (cause instanceof Error ? { cause: cause.message } : {});
  if (result.status === 'waiting') {
    const { reason } = result.unavailable;
    if (run.waiting === null)
      logger.warn({ runtime, reason, ...causeOf(result.unavailable) }, 'a run waits for its model server');
  } else if (result.status !== 'requires_action') {
    metrics.runs.inc({ outcome: result.status });
    const { error, cause } = result;
    if (error === undefined) return;
    const isOfServer = cause !== undefined && !(cause instanceof RuntimeFailure);
    const reason = isOfServer ? { err: cause } : { reason: error.message, ...(cause && causeOf(cause)) };
    logger.warn({ runtime, code: error.code, ...reason }, 'a run failed');
  }
}

const firstPauseMs = 500;
const pauseMsMax = 30_000;
const retryAfterMsMax = 60_000;

/**
 * The pause before the next request to a server. It grows with each consecutive failure. Half of it is random, so that
 * runs that failed together do not retry together. If the server says how long to wait, a quarter of the pause is added
 * to the wait, so that a wait of zero does not cause a burst of requests. `random` is a number from 0 to 1.
 */
export function pauseMs(failures: number, retryAfterMs: number | undefined, random: number): number {
  const growingMs = Math.min(pauseMsMax, firstPauseMs * 2 ** (failures - 1)) * (0.5 + random / 2);
  return retryAfterMs === undefined ? growingMs : Math.min(retryAfterMsMax, retryAfterMs + growingMs / 4);
}
