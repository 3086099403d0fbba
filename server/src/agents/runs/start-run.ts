import { sql } from 'kysely';
import { countInWindow } from '../../db/rate-limit-store.ts';
import { insertKey, type Write } from '../../db/write.ts';
import type { Db } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { Problem, validationError } from '../../contract/problem.ts';
import { newId } from '../../lib/ids.ts';
import type { Request, Caller, Schemas } from '../../contract/operation.ts';
import { requireAgent } from '../agent-store.ts';
import { unknownRuntimeSentence, type StoredAgent } from '../agent.ts';
import type { AgentServices } from '../services.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { openSession } from '../sessions/session-store.ts';
import { lockNewRuns, statusUnfinished, withoutResult } from './run-store.ts';
import { addTurn } from './turns.ts';

/**
 * Plans a new run: the write inserts it with its session, message and turn. After the commit, the run survives any
 * crash.
 */
export async function planRun(
  { config, runtimes, callOperation }: AgentServices,
  { caller, body: request, requestId }: Request<'runAgent'>,
  agent: StoredAgent,
): Promise<{ readonly run: Schemas['Run']; readonly write: Write }> {
  const runtime = runtimes.get(agent.runtime);
  if (runtime === undefined)
    throw new Problem('Agent unavailable', unknownRuntimeSentence(agent.runtime, runtimes));
  const { session_id: sessionId, task_id: taskId, ...data } = request.context ?? {};
  const taskData =
    taskId === undefined ? {} : { task_id: taskId, task: await loadTask(callOperation, caller, taskId) };

  const session = { id: sessionId ?? newId(), userId: caller.id };
  const row = {
    id: newId(),
    agent_id: agent.id,
    session_id: session.id,
    status: 'queued',
    runtime: agent.runtime,
    model: runtime.model,
    created_at: timestamp(),
  } as const;
  const run = { ...row, ...withoutResult };
  const context = JSON.stringify({ ...data, ...taskData });
  const logged = { id: run.id, userId: caller.id, sessionId: session.id, agentId: agent.id };
  const write: Write = (db, key) =>
    db.transaction().execute(async (transaction) => {
      // Insert the idempotency key first, so that a repeated request waits here until the first one ends.
      if (key !== undefined) await insertKey(key).execute(transaction);
      await limitUnfinishedRuns(transaction, caller.id, config.queuedMax);
      if (runtime.model !== null) await limitTokens(transaction, caller.id, config.tokensPerUserMax);
      await requireAgent(transaction, { id: agent.id, userId: caller.id }, true);
      await openSession(transaction, session, agent.id);
      const stored = { ...row, user_id: caller.id, context, request_id: requestId ?? null };
      await transaction.insertInto('runs').values(stored).execute();
      await appendMessage(transaction, logged, { role: 'user', content: request.input }, 'human');
      await addTurn(transaction, { ...logged, runtime: run.runtime });
    });
  return { run, write };
}

/**
 * Throws if the user has too many unfinished runs. Until the transaction ends, other transactions cannot start runs of
 * this user. A separate statement takes the lock, so that the count sees the commits that the lock has waited for.
 */
async function limitUnfinishedRuns(transaction: Db, userId: string, max: number): Promise<void> {
  await lockNewRuns(transaction, userId);
  const { rows: runs } = await sql<UnfinishedRun>`
    select id, status from runs where user_id = ${userId} and ${statusUnfinished}
    order by seq`.execute(transaction);
  if (runs.length >= max) throw tooManyRuns(runs);
}

const namedMax = 5;
type UnfinishedRun = Pick<Schemas['Run'], 'id' | 'status'>;

function tooManyRuns(runs: readonly UnfinishedRun[]): Problem {
  const waiting = runs.filter(({ status }) => status === 'requires_action');
  const advice =
    waiting.length === 0
      ? 'Wait until some of them finish.'
      : `Waiting for your decisions: ${waiting.length}. Decide about the tool calls, or cancel: GET /v1/runs?status=requires_action lists these runs.`;
  const sentence = `You have ${runs.length} unfinished runs, which is the limit. ${advice}`;
  const ids = waiting.slice(0, namedMax).map(({ id }) => id);
  const extensions = ids.length === 0 ? {} : { waiting_run_ids: ids };
  return new Problem('Rate Limited', sentence, { retryAfterS: ids.length === 0 ? 5 : 60, extensions });
}

async function limitTokens(transaction: Db, userId: string, max: number | undefined): Promise<void> {
  const retryAfterS = await countTokens(transaction, userId, max);
  if (retryAfterS === 0) return;
  const sentence = `You have used the ${max} tokens of models that this server allows in a day. Try again after the time in Retry-After.`;
  throw new Problem('Rate Limited', sentence, { retryAfterS });
}

const windowMs = 86_400_000;
// A model server may report any number, and the sum must fit into an integer.
const stepTokensMax = 10_000_000;

/**
 * Adds tokens to the user's count of the day, if tokens are limited. Resolves to the seconds until the user may use
 * tokens again; 0 if the limit is not reached.
 */
export async function countTokens(
  db: Db,
  userId: string,
  max: number | undefined,
  tokens = 0,
): Promise<number> {
  if (max === undefined) return 0;
  const added = { points: Math.min(tokens, stepTokensMax), windowMs };
  const { points, leftMs } = await countInWindow(db, `model-tokens:${userId}`, added);
  return points < max ? 0 : Math.max(1, Math.ceil(leftMs / 1000));
}

const contextBytesMax = 64 * 1024;

export function assertContextSize(context: object = {}): void {
  if (Buffer.byteLength(JSON.stringify(context)) <= contextBytesMax) return;
  const detail = `must not be larger than ${contextBytesMax} bytes as JSON`;
  throw validationError([{ pointer: '/context', code: 'too_large', detail }]);
}

async function loadTask(
  callOperation: AgentServices['callOperation'],
  caller: Caller,
  taskId: string,
): Promise<Schemas['Task'] | undefined> {
  try {
    const reply = await callOperation('getTask', { caller, path: { id: taskId } });
    return reply.body?.task;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const detail = 'must be the id of one of your tasks';
    throw validationError([{ pointer: '/context/task_id', code: 'not_found', detail }]);
  }
}
