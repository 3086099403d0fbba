import { insertKey } from '../../db/idempotency-keys.ts';
import type { Write } from '../../db/write.ts';
import { Problem, validationError, type InvalidField } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Principal, Schemas } from '../../operation.ts';
import { lockActiveAgent } from '../agent-store.ts';
import { unknownRuntimeSentence } from '../agent-warnings.ts';
import type { StoredAgent } from '../agent.ts';
import type { AgentServices } from '../services.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { openSession } from '../sessions/session-store.ts';
import { limitRunsByTokens } from './limit-tokens.ts';
import { limitUnfinishedRuns } from './limit-unfinished-runs.ts';
import { insertRun, newRun } from './run-store.ts';
import { addTurn } from './turns.ts';

interface PlanRunOptions {
  readonly caller: Principal;
  readonly agent: StoredAgent;
  readonly request: Schemas['RunRequest'];
  readonly requestId: string | undefined;
}

type RunServices = Pick<AgentServices, 'config' | 'runtimes' | 'callOperation'>;

interface RunPlan {
  readonly run: Schemas['Run'];
  readonly write: Write;
}

/**
 * Plans a new run: the write inserts it with its session, message and turn. After the commit, the run survives any
 * crash.
 */
export async function planRun(
  { config, runtimes, callOperation }: RunServices,
  { caller, agent, request, requestId }: PlanRunOptions,
): Promise<RunPlan> {
  const runtime = runtimes.get(agent.runtime);
  if (runtime === undefined)
    throw new Problem('Agent unavailable', unknownRuntimeSentence(agent.runtime, runtimes));
  const invalid = runErrors(request);
  if (invalid.length > 0) throw validationError(invalid);
  const { session_id: sessionId, task_id: taskId, ...data } = request.context ?? {};
  const taskData =
    taskId === undefined ? {} : { task_id: taskId, task: await loadTask(callOperation, caller, taskId) };

  const session = { id: sessionId ?? newId(), userId: caller.id };
  const run = newRun({ session, agent, runtime: agent.runtime, model: runtime.model });
  const logged = { id: run.id, userId: caller.id, sessionId: session.id, agent };
  const write: Write = (db, key) =>
    db.transaction().execute(async (transaction) => {
      // Insert the key first, so that a repetition waits here until the first request ends.
      if (key !== undefined) await insertKey(key).execute(transaction);
      await limitUnfinishedRuns(transaction, caller.id, config.queuedMax);
      if (runtime.model !== null) await limitRunsByTokens(transaction, caller.id, config.tokensPerUserMax);
      await lockActiveAgent(transaction, { id: agent.id, userId: caller.id });
      await openSession(transaction, session, agent.id);
      await insertRun(transaction, run, { userId: caller.id, context: { ...data, ...taskData }, requestId });
      await appendMessage(transaction, logged, { role: 'user', content: request.input }, 'human');
      await addTurn(transaction, { id: run.id, session, runtime: run.runtime });
    });
  return { run, write };
}

const contextBytesMax = 64 * 1024;

/** Errors of a context that the schema of the request cannot express, such as its size. */
export function runErrors({ context = {} }: Pick<Schemas['RunRequest'], 'context'>): InvalidField[] {
  if (Buffer.byteLength(JSON.stringify(context)) <= contextBytesMax) return [];
  return [
    {
      pointer: '/context',
      code: 'too_large',
      detail: `must not be larger than ${contextBytesMax} bytes as JSON`,
    },
  ];
}

async function loadTask(
  callOperation: RunServices['callOperation'],
  caller: Principal,
  taskId: string,
): Promise<Schemas['Task'] | undefined> {
  try {
    const reply = await callOperation('getTask', { caller, path: { id: taskId } });
    return reply.body?.task;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    throw validationError([unknownTask]);
  }
}

const unknownTask = {
  pointer: '/context/task_id',
  code: 'not_found',
  detail: 'must be the id of one of your tasks',
} as const;
