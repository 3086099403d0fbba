import { setImmediate as turn } from 'node:timers/promises';
import { isTransient } from '../../errors.ts';
import { runModelStep } from './model-step.ts';
import { callTool } from './call-tool.ts';
import { endOfLog } from '../responses/run-event-bus.ts';
import { leaseRun, finishRun, LeaseLost, type LeasedRun, type Outcome } from './lease.ts';
import { findConversation } from '../sessions/conversation.ts';
import type { RunJob } from './run-job.ts';
import { nextStep, type NextStep } from './next-step.ts';
import { RuntimeFailure } from '../runtimes/runtime.ts';
import type { AgentServices } from '../services.ts';

const attemptsMax = 10;

/**
 * Works on the next run of a session until it is finished. Rejects when it cannot go on, as at the end of the
 * process or without a database; whoever takes the run up again goes on from its log.
 */
export async function workOnSession(
  services: AgentServices,
  { runId, userId, sessionId }: RunJob,
  signal: AbortSignal,
): Promise<void> {
  const { changes, logger } = services.agents;
  let run: LeasedRun | undefined;
  try {
    run = await leaseRun(services.db, { id: sessionId, userId });
    if (run === undefined) return;
    changes.publish(run.id, { kind: 'log', upToSeq: 0 });
    await finish(services, run, await outcomeOf(services, run, signal));
  } catch (error) {
    // Then the run is somebody else's, who finishes it.
    if (error instanceof LeaseLost) return;
    // The queue keeps the reason in its table only. A run that is given back at the end of the process has none.
    if (!signal.aborted) {
      const place = { run_id: run?.id ?? runId, session_id: sessionId, user: userId };
      logger.warn({ err: error, ...place }, 'a run could not go on and is tried again');
    }
    throw error;
  }
}

async function outcomeOf(services: AgentServices, run: LeasedRun, signal: AbortSignal): Promise<Outcome> {
  if (run.attempt > attemptsMax) {
    return failed(
      'interrupted',
      `The run was begun ${attemptsMax} times, each time in vain, and is given up.`,
    );
  }
  const deadline = AbortSignal.timeout(Math.max(0, services.agents.config.runMs - run.elapsedMs));
  try {
    return await steps(services, run, { signal, deadline });
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) return failed('timeout', 'The run took longer than this server allows.');
    if (error instanceof LeaseLost || isTransient(error)) throw error;
    services.agents.logger.warn({ err: error, run_id: run.id, runtime: run.agent.runtime }, 'a run failed');
    const sentence = error instanceof RuntimeFailure ? error.message : 'The runtime failed.';
    return failed('runtime_error', sentence);
  }
}

interface Signals {
  /** Aborts when the run is to be given back. */
  readonly signal: AbortSignal;
  /** Aborts when the run has taken too long. */
  readonly deadline: AbortSignal;
}

async function steps(
  services: AgentServices,
  run: LeasedRun,
  { signal, deadline }: Signals,
): Promise<Outcome> {
  const { db, agents } = services;
  for (;;) {
    // The embedded database answers within one turn of the event loop; others get theirs between two steps.
    await turn();
    signal.throwIfAborted();
    const conversation = await findConversation(db, { id: run.sessionId, userId: run.userId }, run.seq);
    const log = conversation.filter((message) => message.run_id === run.id);
    const next = nextStep({ log, stepsMax: agents.config.stepsMax, isOverdue: deadline.aborted });
    if (next.kind === 'complete') return { output: next.output };
    if (next.kind === 'fail') return { error: next.error };
    const question = { conversation, signal: AbortSignal.any([signal, deadline]) };
    agents.changes.publish(run.id, { kind: 'log', upToSeq: await runStep(services, run, next, question) });
  }
}

function runStep(
  services: AgentServices,
  run: LeasedRun,
  next: Extract<NextStep, { kind: 'ask' | 'call' }>,
  question: Parameters<typeof runModelStep>[2],
): Promise<number> {
  switch (next.kind) {
    case 'ask':
      return runModelStep(services, run, question);
    case 'call':
      return callTool(services, run, next.call);
  }
}

async function finish({ db, agents }: AgentServices, run: LeasedRun, outcome: Outcome): Promise<void> {
  await finishRun(db, run, outcome);
  agents.onFinished('output' in outcome ? 'completed' : 'failed');
  agents.changes.publish(run.id, endOfLog);
}

function failed(code: 'interrupted' | 'timeout' | 'runtime_error', message: string): Outcome {
  return { error: { code, message } };
}
