import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ModelUnavailable, RuntimeFailure, type Step, type StepRequest } from '../runtimes/runtime.ts';
import type { Agents } from '../services.ts';
import type { LeasedRun } from './lease.ts';
import { pauseMs } from './pause-ms.ts';

interface StepOptions {
  readonly request: Omit<StepRequest, 'signal'>;
  /** Aborts when the run is stopped or exceeds its time limit. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/**
 * Requests a step from the model of a run. While its server is busy or unreachable, the request is repeated after
 * growing pauses, for as long as the run may take. The time limit of a step applies to each request.
 */
export async function requestStep(agents: Agents, run: LeasedRun, options: StepOptions): Promise<Step> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await requestOnce(agents, run, options);
    } catch (error) {
      if (!(error instanceof ModelUnavailable)) throw error;
      await waitForModel(agents, run, { ...options, error, failures });
      // The server may have failed in the middle of a response.
      options.request.onRestart();
    }
  }
}

async function requestOnce(agents: Agents, run: LeasedRun, { request, signal }: StepOptions): Promise<Step> {
  const runtime = agents.runtimes.get(run.runtime);
  if (runtime === undefined) {
    throw new RuntimeFailure(`The runtime "${run.runtime}" is no longer configured on this server.`);
  }
  const timeout = AbortSignal.timeout(agents.config.stepMs);
  try {
    const step = await runtime.step({ ...request, signal: AbortSignal.any([signal, timeout]) });
    agents.onModelCall(run.runtime, 'answered', step.usage);
    return step;
  } catch (error) {
    const outcome = error instanceof ModelUnavailable ? 'unavailable' : 'failed';
    if (!signal.aborted) agents.onModelCall(run.runtime, outcome, null);
    if (!timeout.aborted || signal.aborted) throw error;
    throw new RuntimeFailure('The model did not respond within the time limit of a step.', { cause: error });
  }
}

interface Wait extends StepOptions {
  readonly error: ModelUnavailable;
  /** The number of failed requests in a row. */
  readonly failures: number;
}

async function waitForModel(
  { runEvents, activeRuns }: Agents,
  run: LeasedRun,
  { error, failures, signal, logger }: Wait,
): Promise<void> {
  const { reason, cause, retryAfterMs } = error;
  const ms = pauseMs({ retryAfterMs, failures, random: Math.random() });
  if (failures === 1) {
    const detail = cause instanceof Error ? cause.message : undefined;
    logger.warn({ runtime: run.runtime, reason, cause: detail }, 'a run waits for its model server');
  }
  const waiting = { reason, retry_after_s: Math.ceil(ms / 100) / 10 };
  activeRuns.setWaiting(run, waiting);
  runEvents.publish(run.id, { kind: 'waiting', waiting });
  await pause(ms, undefined, { signal }).catch(() => {
    const sentence = `${error.message} The run waited for it until the time limit of a run.`;
    throw new RuntimeFailure(sentence, { code: 'timeout', cause });
  });
  activeRuns.setWaiting(run, undefined);
}
