import { sql } from 'kysely';
import { isRow } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import type { AgentServices } from '../services.ts';
import { appendMessage, failedCall } from '../sessions/message-store.ts';
import { unknownOutcome } from '../skills/tool.ts';
import { withLease, type LeasedRun } from './lease.ts';
import type { RunOutcome } from './next-step.ts';
import { keepPreview } from './preview.ts';

/**
 * Stores the outcome of a run and the text that its model was writing. If a call has begun and its result is lost, a
 * message says so to the model of later runs.
 */
export async function finishRun(
  { db, activeRuns }: Pick<AgentServices, 'db' | 'activeRuns'>,
  run: LeasedRun,
  outcome: RunOutcome,
): Promise<void> {
  await withLease(db, run, async (transaction) => {
    await keepPreview(transaction, run, activeRuns.previewOf(run.id));
    // If the run has an output, every call has a result.
    const lostCallId = outcome.status === 'failed' ? await findLostCall(transaction, run) : undefined;
    if (lostCallId !== undefined)
      await appendMessage(transaction, run, failedCall(lostCallId, unknownOutcome));
    await setFinished(transaction, run, outcome);
  });
}

/** The id of a call that has begun and has no result. */
async function findLostCall(transaction: Db, run: LeasedRun): Promise<string | undefined> {
  const { rows } = await sql<{ begun_call_id: string }>`
    select begun_call_id from runs
    where ${isRow(run)} and begun_call_id is not null and not exists (
      select from messages
      where user_id = ${run.userId} and session_id = ${run.sessionId} and tool_call_id = runs.begun_call_id
    )`.execute(transaction);
  return rows[0]?.begun_call_id;
}

async function setFinished(transaction: Db, run: LeasedRun, outcome: RunOutcome): Promise<void> {
  await transaction
    .updateTable('runs')
    .set({
      status: outcome.status,
      output: 'output' in outcome ? outcome.output : null,
      error: 'error' in outcome ? JSON.stringify(outcome.error) : null,
      incomplete_details: 'incomplete_details' in outcome ? JSON.stringify(outcome.incomplete_details) : null,
      completed_at: timestamp(),
    })
    .where(isRow(run))
    .execute();
}
