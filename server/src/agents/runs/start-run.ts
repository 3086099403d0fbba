import { inTransaction } from '../../db/transaction.ts';
import type { Db } from '../../db/tables.ts';
import { Problem, validationError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Principal, Schemas } from '../../operation.ts';
import type { StoredAgent } from '../agent-store.ts';
import { readContext, refuseContext } from './run-context.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { insertRun, lockUnfinishedRuns } from './run-store.ts';
import type { AgentServices, Agents } from '../services.ts';
import { openSession } from '../sessions/session-store.ts';

interface Turn {
  readonly caller: Principal;
  readonly agent: StoredAgent;
  readonly request: Schemas['RunRequest'];
}

/** Writes session, run, message and job in one transaction: from then on the run happens, whatever else does. */
export async function startRun(
  { db, agents }: AgentServices,
  { caller, agent, request }: Turn,
): Promise<Schemas['Run']> {
  const runtime = agents.runtimes.get(agent.runtime);
  if (runtime === undefined) throw unavailable(agent, agents);
  const refusal = refuseContext(request.context);
  if (refusal !== undefined) throw validationError([refusal]);
  const { sessionId, taskId, data } = readContext(request.context);

  return inTransaction(db, async (transaction) => {
    await refuseTooMany(transaction, caller, agents.config.queuedMax);
    const session = { id: sessionId ?? newId(caller.id), userId: caller.id };
    const agentId = await openSession(transaction, session, agent.id);
    if (agentId !== agent.id) throw validationError([otherAgent]);
    const loaded =
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
      context: { ...data, ...loaded },
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

async function refuseTooMany(transaction: Db, caller: Principal, queuedMax: number): Promise<void> {
  const count = await lockUnfinishedRuns(transaction, caller.id);
  if (count < queuedMax) return;
  throw new Problem(
    'Rate Limited',
    `You have ${count} runs that are not finished, and ${queuedMax} is the limit. Wait until some are.`,
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

function unavailable(agent: StoredAgent, { runtimes }: Agents): Problem {
  const configured = [...runtimes.keys()].join(', ');
  return new Problem(
    'Agent unavailable',
    `The runtime "${agent.runtime}" of this agent is not configured on this server. It has: ${configured}.`,
  );
}

const otherAgent = { pointer: '/context/session_id', detail: 'must not name a session of another agent' };
