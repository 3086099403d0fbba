import { sql, type Selectable } from 'kysely';
import type { Db, RunRow } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { isId, newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import { endOfLog } from '../responses/run-event-bus.ts';
import type { Agents, AgentServices } from '../services.ts';
import { appendMessage, findRunCalls, type NewMessage } from '../sessions/message-store.ts';
import { unknownOutcome } from '../skills/tool.ts';
import { callsWithoutResult } from './next-step.ts';
import { keepPreview } from './preview.ts';
import {
  executionMs,
  isFinished,
  runColumns,
  runFromRow,
  statusUnfinished,
  type RunKey,
} from './run-store.ts';

/** A run that was ended from outside its worker. */
export interface EndedRun {
  readonly id: string;
  readonly executionMs: number;
}

interface CancelledRun extends EndedRun {
  readonly run: Schemas['Run'];
  /** True if the run has ever waited for decisions or for its model server. */
  readonly hasWaited: boolean;
}

/**
 * Cancels a run and resolves to it, or to undefined if the run has ended or does not exist. Each write of a worker
 * locks the row of its run, as the cancellation does. So each step of the worker is committed before the cancellation,
 * or not at all.
 */
export async function cancelUnfinishedRun(
  { db, agents }: AgentServices,
  key: RunKey,
): Promise<CancelledRun | undefined> {
  if (!isId(key.id)) return undefined;
  return db.transaction().execute(async (transaction) => {
    const run = await lockRun(transaction, key);
    if (run === undefined || isFinished(run)) return undefined;
    const cancelled = await transaction
      .updateTable('runs')
      .set({ status: 'cancelled', required_action: null, completed_at: timestamp() })
      .where('user_id', '=', key.userId)
      .where('id', '=', key.id)
      .returning(runColumns)
      .executeTakeFirstOrThrow();
    // The job of the session waits for the oldest run. The end of a later run must not cut that wait short.
    if (run.is_oldest) await agents.queue.hasten(transaction, { id: run.session_id, userId: key.userId });
    // The log is read after the lock, so that it has the last messages of the worker.
    const session = { id: run.session_id, userId: key.userId };
    const ending = { id: key.id, agentId: run.agent_id };
    await keepPreview(transaction, session, ending, agents.activeRuns.previewOf(key.id));
    const messages = await findRunCalls(transaction, session, key.id);
    for (const { id } of callsWithoutResult(messages))
      await appendMessage(transaction, session, resultOf(key.id, run, id));
    return {
      id: key.id,
      run: runFromRow(cancelled),
      executionMs: run.execution_ms,
      hasWaited: run.paused_attempt > 0,
    };
  });
}

const lockedColumns = ['status', 'session_id', 'agent_id', 'paused_attempt', 'begun_call_id'] as const;

interface LockedRun extends Pick<Selectable<RunRow>, (typeof lockedColumns)[number]> {
  readonly execution_ms: number;
  /** True if the session has no earlier unfinished run. */
  readonly is_oldest: boolean;
}

function lockRun(transaction: Db, { id, userId }: RunKey): Promise<LockedRun | undefined> {
  return transaction
    .selectFrom('runs')
    .select(lockedColumns)
    .select(executionMs.as('execution_ms'))
    .select(
      sql<boolean>`not exists (
        select from runs earlier
        where earlier.user_id = ${userId} and earlier.session_id = runs.session_id
          and earlier.seq < runs.seq and ${statusUnfinished}
      )`.as('is_oldest'),
    )
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

function resultOf(runId: string, { agent_id, begun_call_id }: LockedRun, callId: string): NewMessage {
  return {
    id: newId(),
    run_id: runId,
    role: 'tool',
    content:
      callId === begun_call_id
        ? `The run was cancelled during this call. ${unknownOutcome}`
        : 'The run was cancelled before this call had a result.',
    is_error: true,
    tool_call_id: callId,
    actor_type: 'agent',
    actor_id: agent_id,
  };
}

/** Ends the work on the run and the requests that wait for it in this process. Other processes notice within a second. */
export function announceCancelled(agents: Agents, { id, executionMs: ms }: EndedRun): void {
  agents.activeRuns.stop(id);
  agents.runEvents.publish(id, endOfLog);
  agents.onRunFinished('cancelled', ms / 1000);
}
