import { inTransaction } from '../../db/transaction.ts';
import type { Db } from '../../db/tables.ts';
import { Problem, validationError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Principal, Schemas } from '../../operation.ts';
import type { StoredAgent } from '../agent-store.ts';
import { readContext, contextError } from './run-context.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { insertRun, lockUnfinishedRuns } from './run-store.ts';
import type { AgentServices, Agents } from '../services.ts';
import { openSession } from '../sessions/session-store.ts';

interface StartRunOptions {
  readonly caller: Principal;
  readonly agent: StoredAgent;
  readonly request: Schemas['RunRequest'];
}

/** Writes session, run, message and job in one transaction. Once it is committed, the run survives any crash. */
export async function startRun(
  { db, agents }: AgentServices,
  { caller, agent, request }: StartRunOptions,
): Promise<Schemas['Run']> {
  const runtime = agents.runtimes.get(agent.runtime);
  if (runtime === undefined) throw agentUnavailable(agent, agents);
  const invalid = contextError(request.context);
  if (invalid !== undefined) throw validationError([invalid]);
  const { sessionId, taskId, data } = readContext(request.context);

  return inTransaction(db, async (transaction) => {
    await assertRunLimit(transaction, caller, agents.config.queuedMax);
    const session = { id: sessionId ?? newId(caller.id), userId: caller.id };
    const agentId = await openSession(transaction, session, agent.id);
    if (agentId !== agent.id) throw validationError([sessionOfOtherAgent]);
    const taskData =
      taskId === undefined
        ? {}
        : { task_id: taskId, task: await loadTask(agents, transaction, caller, taskId) };
    const run = await insertRun(transaction, {
      id: newId(caller.id),
      userId: caller.id,
      sessionId: session.id,
      agentId,
      runtime: agent.runtime,
      model: runtime.model,
      context: { ...data, ...taskData },
    });
    await appendMessage(transaction, session, {
      id: newId(caller.id),
      run_id: run.id,
      role: 'user',
      content: request.input,
      actor_type: 'human',
      actor_id: caller.id,
    });
    await agents.queue.add(transaction, { runId: run.id, userId: caller.id, sessionId: session.id });
    return run;
  });
}

async function assertRunLimit(transaction: Db, caller: Principal, queuedMax: number): Promise<void> {
  const count = await lockUnfinishedRuns(transaction, caller.id);
  if (count < queuedMax) return;
  throw new Problem(
    'Rate Limited',
    `You have ${count} unfinished runs, and the limit is ${queuedMax}. Wait until some of them finish.`,
    { retryAfterS: 5 },
  );
}

async function loadTask(
  agents: Agents,
  db: Db,
  caller: Principal,
  taskId: string,
): Promise<Schemas['Task'] | undefined> {
  try {
    const reply = await agents.callOperation('getTask', { caller, path: { id: taskId } }, db);
    return reply.body?.task;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    throw validationError([{ pointer: '/context/task_id', detail: 'must be the id of one of your tasks' }]);
  }
}

function agentUnavailable(agent: StoredAgent, { runtimes }: Agents): Problem {
  const configured = [...runtimes.keys()].join(', ');
  return new Problem(
    'Agent unavailable',
    `The runtime "${agent.runtime}" of this agent is not configured on this server. It has: ${configured}.`,
  );
}

const sessionOfOtherAgent = {
  pointer: '/context/session_id',
  detail: 'must not name a session of another agent',
};
