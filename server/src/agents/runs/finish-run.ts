import { timestamp } from '../../db/timestamps.ts';
import type { Statement } from '../../db/write.ts';
import type { Schemas } from '../../operation.ts';
import type { AgentServices } from '../services.ts';
import { unknownOutcome } from '../skills/tool.ts';
import { appendToLog } from './append-to-log.ts';
import { assertLease, type LeasedRun } from './lease.ts';

export type RunOutcome = { readonly output: string } | { readonly error: Schemas['RunError'] };

/** A call that has begun and has no result. */
interface BegunCall {
  readonly begun_call_id: string;
}

/** Stores how a run ended. If the result of a begun call was lost, the log says so, for the model of later runs. */
export async function finishRun(
  { transact }: AgentServices,
  run: LeasedRun,
  outcome: RunOutcome,
): Promise<void> {
  if ('output' in outcome) {
    // Such a run has no call without a result.
    await transact([assertLease(run), setFinished(run, outcome)]);
    return;
  }
  const begunCall = { text: selectBegunCall, values: [run.userId, run.id, run.sessionId] };
  await transact<Partial<BegunCall>>([assertLease(run), begunCall], ([, begun = []]) => [
    ...begun.flatMap(({ begun_call_id: id }) => (id === undefined ? [] : resultOf(run, id))),
    setFinished(run, outcome),
  ]);
}

const selectBegunCall = `
  select begun_call_id from runs
  where user_id = $1 and id = $2 and begun_call_id is not null and not exists (
    select from messages where user_id = $1 and session_id = $3 and tool_call_id = runs.begun_call_id
  )`;

function resultOf(run: LeasedRun, callId: string): Statement {
  return appendToLog(run, { role: 'tool', content: unknownOutcome, is_error: true, tool_call_id: callId });
}

function setFinished({ userId, id }: LeasedRun, outcome: RunOutcome): Statement {
  const [status, output, error] =
    'output' in outcome
      ? (['completed', outcome.output, null] as const)
      : (['failed', null, JSON.stringify(outcome.error)] as const);
  return { text: updateRun, values: [userId, id, status, output, error, timestamp()] };
}

const updateRun = `
  update runs set status = $3, output = $4, error = $5::json, completed_at = $6
  where user_id = $1 and id = $2`;
