import type { Write, WriteTarget } from '../../db/write.ts';
import { Problem, validationError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Principal, Schemas } from '../../operation.ts';
import type { StoredAgent } from '../agent.ts';
import { assertActive } from '../agent-store.ts';
import { readContext, runErrors } from './run-context.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { insertRun, limitUnfinishedRuns, newRun } from './run-store.ts';
import type { AgentServices, Agents } from '../services.ts';
import { openSession } from '../sessions/session-store.ts';

interface PlanRunOptions {
  readonly caller: Principal;
  readonly agent: StoredAgent;
  readonly request: Schemas['RunRequest'];
  readonly requestId: string | undefined;
}

interface RunPlan {
  readonly run: Schemas['Run'];
  readonly write: Write;
}

/** A new run, and the write of it with its session, message and job. Once that is committed, the run survives any crash. */
export async function planRun(
  { agents, ...target }: AgentServices,
  { caller, agent, request, requestId }: PlanRunOptions,
): Promise<RunPlan> {
  const runtime = agents.runtimes.get(agent.runtime);
  if (runtime === undefined) throw agentUnavailable(agent, agents);
  const invalid = runErrors(request);
  if (invalid.length > 0) throw validationError(invalid);
  const { sessionId, taskId, data } = readContext(request.context);
  const taskData =
    taskId === undefined ? {} : { task_id: taskId, task: await loadTask(agents, target, caller, taskId) };

  const session = { id: sessionId ?? newId(), userId: caller.id };
  const run = newRun({ session, agent, runtime: agent.runtime, model: runtime.model });
  const message = { id: newId(), run_id: run.id, content: request.input, actor_id: caller.id };
  const statements = [
    ...limitUnfinishedRuns(caller.id, agents.config.queuedMax),
    assertActive({ id: agent.id, userId: caller.id }),
    ...openSession(session, agent.id),
    insertRun(run, { userId: caller.id, context: { ...data, ...taskData } }),
    appendMessage(session, { ...message, role: 'user', actor_type: 'human' }),
    await agents.queue.insertStatement({
      runId: run.id,
      userId: caller.id,
      sessionId: session.id,
      requestId,
    }),
  ];
  return { run, write: { statements } };
}

async function loadTask(
  agents: Agents,
  target: WriteTarget,
  caller: Principal,
  taskId: string,
): Promise<Schemas['Task'] | undefined> {
  try {
    const reply = await agents.callOperation('getTask', { caller, path: { id: taskId } }, target);
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

function agentUnavailable(agent: StoredAgent, { runtimes }: Agents): Problem {
  const configured = [...runtimes.keys()].join(', ');
  return new Problem(
    'Agent unavailable',
    `The runtime "${agent.runtime}" of this agent is not configured on this server. It has: ${configured}.`,
  );
}
