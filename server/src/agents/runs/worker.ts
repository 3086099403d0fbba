import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isTransient } from '../../errors.ts';
import { runModelStep } from './model-step.ts';
import { callTool } from './call-tool.ts';
import { endOfLog } from '../responses/run-event-bus.ts';
import { leaseRun, finishRun, LeaseLost, type LeasedRun, type RunOutcome } from './lease.ts';
import { findConversation } from '../sessions/conversation.ts';
import type { RunJob } from './run-job.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { RuntimeFailure } from '../runtimes/runtime.ts';
import type { AgentServices } from '../services.ts';

const attemptsMax = 10;

/**
 * Executes the next run of a session until it is finished. Rejects if it cannot continue, for example because the
 * process shuts down or the database is unavailable; the worker that retries the job resumes the run from its log.
 */
export async function workOnSession(
  services: AgentServices,
  { runId, userId, sessionId }: RunJob,
  signal: AbortSignal,
): Promise<void> {
  const { runEvents, logger } = services.agents;
  let run: LeasedRun | undefined;
  try {
    run = await leaseRun(services.db, { id: sessionId, userId });
    if (run === undefined) return;
    runEvents.publish(run.id, { kind: 'log', upToSeq: 0 });
    await recordOutcome(services, run, await executeRun(services, run, signal));
  } catch (error) {
    // The worker that holds the lease now finishes the run.
    if (error instanceof LeaseLost) return;
    // pg-boss stores the error in its table but does not log it. At shutdown there is no error.
    if (!signal.aborted) {
      const ids = { run_id: run?.id ?? runId, session_id: sessionId, user: userId };
      logger.warn({ err: error, ...ids }, 'a run was interrupted and will be retried');
    }
    throw error;
  }
}

async function executeRun(services: AgentServices, run: LeasedRun, signal: AbortSignal): Promise<RunOutcome> {
  if (run.attempt > attemptsMax) {
    return failure('interrupted', `The run was interrupted ${attemptsMax} times and is not retried again.`);
  }
  const deadline = AbortSignal.timeout(Math.max(0, services.agents.config.runMs - run.elapsedMs));
  try {
    return await executeSteps(services, run, { signal, deadline });
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) return failure('timeout', 'The run exceeded the time limit of this server.');
    if (error instanceof LeaseLost || isTransient(error)) throw error;
    services.agents.logger.warn({ err: error, run_id: run.id, runtime: run.agent.runtime }, 'a run failed');
    const sentence = error instanceof RuntimeFailure ? error.message : 'The runtime failed.';
    return failure('runtime_error', sentence);
  }
}

interface Signals {
  /** Aborts when the process shuts down or the job is cancelled. */
  readonly signal: AbortSignal;
  /** Aborts when the run exceeds its time limit. */
  readonly deadline: AbortSignal;
}

async function executeSteps(
  services: AgentServices,
  run: LeasedRun,
  { signal, deadline }: Signals,
): Promise<RunOutcome> {
  const { db, agents } = services;
  for (;;) {
    // The embedded database responds within one turn of the event loop. Without this, a run would block other requests.
    await yieldToEventLoop();
    signal.throwIfAborted();
    const conversation = await findConversation(db, { id: run.sessionId, userId: run.userId }, run.seq);
    const log = conversation.filter((message) => message.run_id === run.id);
    const next = nextStep({ log, stepsMax: agents.config.stepsMax, isOverdue: deadline.aborted });
    if (next.kind === 'complete') return { output: next.output };
    if (next.kind === 'fail') return { error: next.error };
    const input = { conversation, signal: AbortSignal.any([signal, deadline]) };
    agents.runEvents.publish(run.id, { kind: 'log', upToSeq: await runStep(services, run, next, input) });
  }
}

function runStep(
  services: AgentServices,
  run: LeasedRun,
  next: Extract<NextStep, { kind: 'callModel' | 'callTool' }>,
  input: Parameters<typeof runModelStep>[2],
): Promise<number> {
  switch (next.kind) {
    case 'callModel':
      return runModelStep(services, run, input);
    case 'callTool':
      return callTool(services, run, next.call);
  }
}

async function recordOutcome(
  { db, agents }: AgentServices,
  run: LeasedRun,
  outcome: RunOutcome,
): Promise<void> {
  await finishRun(db, run, outcome);
  agents.onRunFinished('output' in outcome ? 'completed' : 'failed');
  agents.runEvents.publish(run.id, endOfLog);
}

function failure(code: 'interrupted' | 'timeout' | 'runtime_error', message: string): RunOutcome {
  return { error: { code, message } };
}
