import { sql, type RawBuilder } from 'kysely';
import { integerMax } from '../../db/integer.ts';
import { isRow } from '../../db/row-key.ts';
import type { ToolIdentities } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import type { AgentServices } from '../services.ts';
import { withLease, type LeasedRun } from './lease.ts';

/** The calls that the user has to decide about, and their tools. */
export interface AskedCalls {
  readonly calls: Schemas['ToolCall'][];
  readonly tools: ToolIdentities;
}

/**
 * Lets a run wait until the user has decided about tool calls. It then occupies no worker, and its time limit is
 * suspended. The calls are in the log, so after a crash the run waits for the same calls.
 */
export async function waitForDecisions(
  { db, config }: Pick<AgentServices, 'db' | 'config'>,
  run: LeasedRun,
  { calls, tools }: AskedCalls,
): Promise<void> {
  const elapsedMs = Math.round(run.elapsedMs + performance.now() - run.leasedMs);
  await withLease(db, run, async (transaction) => {
    await sql`
      update runs
      set status = 'requires_action', required_action = ${requiredAction(calls, config.approvalMs)},
        asked_tools = ${JSON.stringify(tools)}, started_at = null,
        elapsed_ms = ${Math.min(elapsedMs, integerMax)}, waited_after_attempt = ${run.attempt}
      where ${isRow(run)}`.execute(transaction);
  });
}

/** The `RequiredAction` of the contract. It expires by the clock of the database. */
function requiredAction(calls: readonly Schemas['ToolCall'][], approvalMs: number): RawBuilder<unknown> {
  return sql`json_build_object(
    'tool_calls', ${JSON.stringify(calls)}::json,
    'expires_at', to_char((now() + ${approvalMs} * interval '1 ms') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  )`;
}
