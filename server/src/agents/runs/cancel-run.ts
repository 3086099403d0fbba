import type { Selectable } from 'kysely';
import { timestamp } from '../../db/timestamps.ts';
import type { Statement } from '../../db/write.ts';
import { isId, newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import { endOfLog } from '../responses/run-event-bus.ts';
import type { Agents, AgentServices } from '../services.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { unknownOutcome } from '../skills/tool.ts';
import type { RunRow } from '../../db/tables.ts';
import { callsWithoutResult } from './next-step.ts';
import { executionMs, isFinished, type RunKey } from './run-store.ts';

/** The locked run. */
interface LockedRun extends Pick<
  Selectable<RunRow>,
  'elapsed_ms' | 'started_at' | 'paused_attempt' | 'begun_call_id'
> {
  readonly status: Schemas['Run']['status'];
  readonly session_id: string;
  readonly agent_id: string;
}

/** A message of its log. */
type LogMessage = Pick<Schemas['Message'], 'tool_calls' | 'tool_call_id'>;

/** A run that was ended from outside its worker. */
export interface EndedRun {
  readonly id: string;
  readonly executionMs: number;
}

interface CancelledRun extends EndedRun {
  readonly sessionId: string;
  /** Whether it has ever waited for decisions. */
  readonly hasWaited: boolean;
}

/**
 * Cancels a run, and resolves to it; to undefined if it has ended or does not exist. Each write of a worker locks the row
 * of its run, as this does: each step of the worker is committed as a whole before the cancellation, or not at all.
 */
export async function cancelUnfinishedRun(
  { transact }: AgentServices,
  key: RunKey,
): Promise<CancelledRun | undefined> {
  if (!isId(key.id)) return undefined;
  let cancelled: CancelledRun | undefined;
  const values = [key.userId, key.id];
  await transact<LockedRun & LogMessage>(
    [
      { text: lockRun, values },
      { text: selectCalls, values },
    ],
    ([runs = [], messages = []]) => {
      const [run] = runs;
      if (run === undefined || isFinished(run)) return [];
      cancelled = {
        id: key.id,
        sessionId: run.session_id,
        executionMs: executionMs(run),
        hasWaited: run.paused_attempt > 0,
      };
      const cancel = { text: setCancelled, values: [...values, timestamp()] };
      return [cancel, ...callsWithoutResult(messages).map(({ id }) => resultOf(key, run, id))];
    },
  );
  return cancelled;
}

const lockRun = `
  select status, session_id, agent_id, elapsed_ms, started_at, paused_attempt, begun_call_id
  from runs where user_id = $1 and id = $2
  for update`;

// After the lock, so that it finds the last messages of the worker.
const selectCalls = `
  select tool_calls, tool_call_id from messages
  where user_id = $1 and run_id = $2
    and session_id = (select session_id from runs where user_id = $1 and id = $2)
  order by seq`;

const setCancelled = `
  update runs set status = 'cancelled', required_action = null, completed_at = $3
  where user_id = $1 and id = $2`;

function resultOf(
  { id, userId }: RunKey,
  { session_id, agent_id, begun_call_id }: LockedRun,
  callId: string,
): Statement {
  const result = {
    role: 'tool',
    content:
      callId === begun_call_id
        ? `The run was cancelled during this call. ${unknownOutcome}`
        : 'The run was cancelled before this call had a result.',
    is_error: true,
  } as const;
  return appendMessage(
    { id: session_id, userId },
    { ...result, id: newId(), run_id: id, tool_call_id: callId, actor_type: 'agent', actor_id: agent_id },
  );
}

/** Ends the work on the run and the requests that wait for it in this process. Other processes notice within a second. */
export function announceCancelled(agents: Agents, { id, executionMs: ms }: EndedRun): void {
  agents.activeRuns.stop(id);
  agents.runEvents.publish(id, endOfLog);
  agents.onRunFinished('cancelled', ms / 1000);
}
