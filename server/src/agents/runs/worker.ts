import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isTransient } from '../../errors.ts';
import { endOfLog } from '../responses/run-event-bus.ts';
import { ModelUnavailable, RuntimeFailure } from '../runtimes/runtime.ts';
import type { AgentServices } from '../services.ts';
import { findConversation } from '../sessions/conversation.ts';
import { toolsOf } from '../skills/skills.ts';
import { findApprovals, identitiesOf } from './approvals.ts';
import { callTool } from './call-tool.ts';
import { expireApprovals } from './expire-approvals.ts';
import { finishRun } from './finish-run.ts';
import { leaseRun, LeaseLost, type LeasedRun } from './lease.ts';
import { runModelStep } from './model-step.ts';
import { failure, nextStep, type FailedOutcome, type RunOutcome } from './next-step.ts';
import type { Pause, Turn } from './turns.ts';
import { waitForDecisions, type AskedCalls } from './wait-for-decisions.ts';
import { waitForModel } from './wait-for-model.ts';

const interruptionsMax = 10;

/**
 * Executes the next run of a session until it is finished or waits. Resolves to a pause if it waits for its model
 * server. Rejects if it cannot continue, for example at shutdown or without the database. A worker then claims the turn
 * again, and resumes the run from its log.
 */
export async function workOnTurn(
  services: AgentServices,
  { userId, sessionId, runtime, latestRunId }: Turn,
): Promise<Pause | undefined> {
  const ofSession = { session_id: sessionId, user: userId };
  let logger = services.logger.child({ run_id: latestRunId, ...ofSession });
  try {
    if (runtime === null) {
      await expireApprovals(services.db, { id: sessionId, userId });
      return undefined;
    }
    const run = await leaseRun(services.db, { id: sessionId, userId });
    if (run === undefined) return undefined;
    const request = run.requestId === null ? {} : { request_id: run.requestId };
    logger = services.logger.child({ run_id: run.id, ...ofSession, ...request });
    if (interruptionsOf(run) > 0)
      logger.info({ attempt: run.attempt }, 'a run that was interrupted is continued');
    // Closed last, so that closing the tools' resources delays only the next run of the session.
    await using resources = new AsyncDisposableStack();
    const watched = services.activeRuns.watch(services.db, run);
    try {
      const stop = AbortSignal.any([services.shutdownSignal, watched.signal]);
      const result = await executeRun(services, run, { stop, resources, logger });
      return await recordResult(services, run, { result, logger });
    } finally {
      watched.end();
    }
  } catch (error) {
    // Another worker holds the lease now, and finishes the run.
    if (error instanceof LeaseLost) return undefined;
    // At shutdown, an interrupted run is not an error.
    if (!services.shutdownSignal.aborted)
      logger.warn({ err: error }, 'a run was interrupted and will be retried');
    throw error;
  }
}

/**
 * How the execution of a run ended: with an outcome, with calls to decide about, or because its model server is not
 * available.
 */
type RunResult =
  | RunOutcome
  | ({ readonly status: 'requires_action' } & AskedCalls)
  | { readonly status: 'waiting'; readonly error: ModelUnavailable };

async function executeRun(
  services: AgentServices,
  run: LeasedRun,
  { stop, resources, logger }: Omit<Execution, 'deadline'>,
): Promise<RunResult> {
  if (interruptionsOf(run) >= interruptionsMax) {
    return failure(
      'interrupted',
      `The run was interrupted ${interruptionsMax} times and is not retried again.`,
    );
  }
  const leftMs = services.config.runMs - run.elapsedMs;
  if (run.waiting !== null && leftMs <= 0) {
    const sentence = `${run.waiting.message} The run waited for it until the time limit of a run.`;
    return failure('model_unavailable', sentence);
  }
  const deadline = AbortSignal.timeout(Math.max(0, leftMs));
  try {
    return await executeSteps(services, run, { stop, deadline, resources, logger });
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof ModelUnavailable) return { status: 'waiting', error };
    if (error instanceof RuntimeFailure) return { ...failure(error.code, error.message), cause: error };
    if (deadline.aborted) return failure('timeout', 'The run exceeded the time limit of this server.');
    if (error instanceof LeaseLost || isTransient(error)) throw error;
    return { ...failure('runtime_error', 'The runtime failed.'), cause: error };
  }
}

/** How often a worker has begun to execute the run without an end, since the run was started or last waited. */
function interruptionsOf({ attempt, waitedAfterAttempt }: LeasedRun): number {
  return attempt - waitedAfterAttempt - 1;
}

interface Execution {
  /** Aborts at shutdown, or when the lease is lost. */
  readonly stop: AbortSignal;
  /** Aborts when the run reaches its time limit. */
  readonly deadline: AbortSignal;
  /** The resources that tools keep open until this worker stops executing the run. */
  readonly resources: AsyncDisposableStack;
  readonly logger: Logger;
}

async function executeSteps(
  services: AgentServices,
  run: LeasedRun,
  { stop, deadline, resources, logger }: Execution,
): Promise<RunResult> {
  const { db, runEvents, skills, config } = services;
  // While a run waited for approval, an MCP server may have changed its tools.
  let isFresh = Object.keys(run.decisions).length > 0;
  for (;;) {
    // The embedded database responds within one turn of the event loop, so without this pause a run would block other
    // requests.
    await yieldToEventLoop();
    stop.throwIfAborted();
    const conversation = await findConversation(db, { id: run.sessionId, userId: run.userId }, run.seq);
    const log = conversation.filter((message) => message.run_id === run.id);
    // A run has at least the message that started it, unless its session was deleted.
    if (log.length === 0) throw new LeaseLost(run.id);
    // Publish the log before the model writes: streams send the messages so far before its text.
    runEvents.publish(run.id, { kind: 'log', upToSeq: Math.max(...log.map(({ seq }) => seq)) });
    const limit = AbortSignal.any([stop, deadline]);
    // An MCP server may change its tools at any time. Therefore the decision about approval and the call use the same
    // list.
    const tools = await toolsOf(skills, run.agent.skills, { signal: stop, isFresh });
    isFresh = false;
    const { isUndecided, approvalOf } = await findApprovals(db, run, { log, tools });
    const next = nextStep({
      log,
      stepsMax: config.stepsMax,
      isOverdue: deadline.aborted,
      isUndecided,
    });
    if (next.kind === 'end') return next.outcome;
    if (next.kind === 'requireAction')
      return { status: 'requires_action', calls: next.calls, tools: identitiesOf(next.calls, tools) };
    if (next.kind === 'callModel') {
      await runModelStep(services, run, { conversation, tools, isLast: next.isLast, signal: limit });
      continue;
    }
    const { call } = next;
    const made = { call, approval: approvalOf(call), log, tools };
    await callTool(db, run, { ...made, stop, signal: limit, resources, logger });
  }
}

interface Recorded {
  readonly result: RunResult;
  readonly logger: Logger;
}

async function recordResult(
  services: AgentServices,
  run: LeasedRun,
  { result, logger }: Recorded,
): Promise<Pause | undefined> {
  if (result.status === 'waiting') return waitForModel(services, run, { error: result.error, logger });
  if (result.status === 'requires_action') {
    await waitForDecisions(services, run, result);
    services.runEvents.publish(run.id, endOfLog);
    return undefined;
  }
  await finishRun(services, run, result);
  if (result.status === 'failed') logger.warn({ runtime: run.runtime, ...reasonOf(result) }, 'a run failed');
  services.onRunFinished(result.status, (run.elapsedMs + performance.now() - run.leasedMs) / 1000);
  services.runEvents.publish(run.id, endOfLog);
  return undefined;
}

/**
 * What the log says about a failure. It has a stack only if this server failed, not if the run or its model server did.
 */
function reasonOf({ error, cause }: FailedOutcome): object {
  if (cause !== undefined && !(cause instanceof RuntimeFailure)) return { code: error.code, err: cause };
  const reason = { code: error.code, reason: error.message };
  return cause?.cause instanceof Error ? { ...reason, cause: cause.cause.message } : reason;
}
