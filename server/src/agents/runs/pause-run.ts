import { sql } from 'kysely';
import { integerMax } from '../../db/integer.ts';
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
 * Lets a run wait until the user has decided about tool calls. The waiting run occupies no worker, and its time limit
 * is suspended. The tool calls are in the log of the run, so the run reaches the same point after a crash.
 */
export async function pauseRun(
  { db, agents }: AgentServices,
  run: LeasedRun,
  { calls, tools }: AskedCalls,
): Promise<void> {
  const expiresAt = new Date(Date.now() + agents.config.approvalMs).toISOString();
  const requiredAction: Schemas['RequiredAction'] = { tool_calls: calls, expires_at: expiresAt };
  const elapsedMs = Math.round(run.elapsedMs + performance.now() - run.leasedMs);
  await withLease(db, run, async (transaction) => {
    await sql`
      update runs
      set status = 'requires_action', required_action = ${JSON.stringify(requiredAction)},
        asked_tools = ${JSON.stringify(tools)}, started_at = null,
        elapsed_ms = ${Math.min(elapsedMs, integerMax)}, paused_attempt = ${run.attempt}
      where user_id = ${run.userId} and id = ${run.id}`.execute(transaction);
  });
}
