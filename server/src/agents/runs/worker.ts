import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { StoredDecision, ToolIdentities } from '../../db/tables.ts';
import { isTransient } from '../../contract/problem.ts';
import type { Schemas } from '../../contract/operation.ts';
import { ModelUnavailable, RuntimeFailure } from '../runtimes/runtime.ts';
import type { AgentServices, Execution } from '../services.ts';
import { findApprovedTools } from '../sessions/session-store.ts';
import { findConversation } from '../sessions/conversation.ts';
import { toolsOf } from '../skills/skills.ts';
import type { Tool } from '../skills/tool.ts';
import { callTool } from './call-tool.ts';
import { expireApprovals } from './decide-tool-calls.ts';
import { leaseRun, LeaseLost, type LeasedRun } from './lease.ts';
import { runModelStep } from './model-step.ts';
import { callsWithoutResult, failure, nextStep, overdue } from './next-step.ts';
import { recordResult, type RunResult } from './record-result.ts';
import type { ActiveTurn } from './workers.ts';

const interruptionsMax = 10;

/**
 * Executes the next run of a session until it is finished or waits. Resolves to false if it cannot continue, for example
 * at shutdown or without the database. A worker then claims the turn again, and resumes the run from its log.
 */
export async function workOnTurn(services: AgentServices, active: ActiveTurn): Promise<boolean> {
  const { db, config, shutdownSignal } = services;
  const { turn, lost } = active;
  const session = { id: turn.sessionId, userId: turn.userId };
  const ofSession = { session_id: session.id, user: session.userId };
  let logger = services.logger.child({ run_id: turn.latestRunId, ...ofSession });
  try {
    if (turn.runtime === null) {
      await expireApprovals(db, session);
      return true;
    }
    const run = await leaseRun(db, session);
    if (run === undefined) return true;
    const request = run.request_id === null ? {} : { request_id: run.request_id };
    logger = services.logger.child({ run_id: run.id, ...ofSession, ...request });
    const interruptions = run.attempt - run.waited_after_attempt - 1;
    if (interruptions > 0) logger.info({ attempt: run.attempt }, 'a run that was interrupted is continued');
    // Closed after the result is recorded, so that closing delays only the next run of the session.
    await using resources = new AsyncDisposableStack();
    active.run = run;
    const stop = AbortSignal.any([shutdownSignal, lost.signal]);
    const deadline = AbortSignal.timeout(Math.max(0, config.runMs - run.executionMs));
    const signal = AbortSignal.any([stop, deadline]);
    const execution = { services, run, active, logger, stop, deadline, signal, resources };
    await recordResult(execution, await resultOf(execution, interruptions));
    return true;
  } catch (error) {
    // The run was cancelled or deleted, or another worker has leased it and finishes it.
    if (error instanceof LeaseLost) return true;
    // At shutdown, an interrupted run is not an error.
    if (!shutdownSignal.aborted) logger.warn({ err: error }, 'a run was interrupted and will be retried');
    return false;
  }
}

/** Executes a run. Throws if another worker may continue it. */
async function resultOf(execution: Execution, interruptions: number): Promise<RunResult> {
  const { services, run, stop, deadline } = execution;
  if (interruptions >= interruptionsMax) {
    const times = `${interruptionsMax} times`;
    return failure('interrupted', `The run was interrupted ${times} and is not retried again.`);
  }
  if (run.waiting !== null && run.executionMs >= services.config.runMs) {
    const sentence = `${run.waiting.message} The run waited for it until the time limit of a run.`;
    return failure('model_unavailable', sentence);
  }
  try {
    return await executeSteps(execution);
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof ModelUnavailable) return { status: 'waiting', unavailable: error };
    if (error instanceof RuntimeFailure) return failure(error.code, error.message, error);
    if (deadline.aborted) return overdue;
    if (error instanceof LeaseLost || isTransient(error)) throw error;
    return failure('runtime_error', 'The runtime failed.', error);
  }
}

/** Executes the steps of a run in order. Each step begins by reading the log, as another worker would after a crash. */
async function executeSteps(execution: Execution): Promise<RunResult> {
  const { services, run, stop, deadline } = execution;
  const { db, runEvents, skills, config } = services;
  const session = { id: run.sessionId, userId: run.userId };
  // List the tools again if the run has waited for approval, because an MCP server may have changed them.
  let isFresh = Object.keys(run.decisions).length > 0;
  for (;;) {
    // The embedded database responds within one iteration of the event loop, so without this pause a run would block
    // other requests.
    await yieldToEventLoop();
    stop.throwIfAborted();
    const conversation = await findConversation(db, run);
    const log = conversation.filter((message) => message.run_id === run.id);
    // A run has at least the message that started it, unless its session was deleted.
    if (log.length === 0) throw new LeaseLost();
    runEvents.publish(run.id, 'any');
    // An MCP server may change its tools at any time. Therefore the decision about approval and the call use the same
    // list.
    const tools = await toolsOf(skills, run.agent.skills, stop, isFresh);
    isFresh = false;
    // Read the approvals before each call, so that a revoked approval covers no further call.
    const hasCalls = callsWithoutResult(log).length > 0;
    const approved = hasCalls ? await findApprovedTools(db, session) : {};
    const next = nextStep({
      log,
      stepsMax: config.stepsMax,
      isOverdue: deadline.aborted,
      isUndecided: (call) => isUndecided(run, call, approvalOf(run, approved, call), tools),
    });
    switch (next.kind) {
      case 'end':
        return next.outcome;
      case 'requireAction': {
        const asked = tools.filter(({ name }) => next.calls.some((call) => call.name === name));
        const identities = Object.fromEntries(asked.map((tool) => [tool.name, tool.identity()]));
        return { status: 'requires_action', calls: next.calls, tools: identities };
      }
      case 'callModel':
        await runModelStep(execution, conversation, tools, next.isLast);
        break;
      case 'callTool':
        await callTool(execution, next.call, approvalOf(run, approved, next.call), tools);
    }
  }
}

/** The user's approval of a call or of its tool for the session; undefined if there is none. */
function approvalOf(
  { decisions, userId }: LeasedRun,
  approvedTools: ToolIdentities,
  { id, name }: Schemas['ToolCall'],
): StoredDecision | undefined {
  const tool = approvedTools[name];
  const ofSession = { approve: true, scope: 'session', decided_by: userId, tool } as const;
  return decisions[id] ?? (tool === undefined ? undefined : ofSession);
}

/**
 * Returns true if the user still has to decide about a call. A call of an unknown tool needs no decision, because it
 * fails.
 */
function isUndecided(
  { agent: { approvals }, begun_call_id: begunCallId }: LeasedRun,
  { id, name }: Schemas['ToolCall'],
  approval: StoredDecision | undefined,
  tools: readonly Tool[],
): boolean {
  const tool = tools.find((each) => each.name === name);
  // A call that has begun is not repeated, so it needs no decision.
  if (tool === undefined || id === begunCallId) return false;
  // The user is asked again about a tool that has changed, even if it now declares that it only reads.
  if (approval !== undefined) return approval.tool !== tool.identity();
  return tool.needsApproval || approvals.includes('*') || approvals.includes(name);
}
