import { ModelUnavailable, RuntimeFailure, type Step, type StepRequest } from '../runtimes/runtime.ts';
import type { Agents } from '../services.ts';
import type { LeasedRun } from './lease.ts';

interface StepOptions {
  readonly request: Omit<StepRequest, 'signal'>;
  /** Aborts when the run is stopped or exceeds its time limit. */
  readonly signal: AbortSignal;
}

export async function requestStep(
  agents: Agents,
  run: LeasedRun,
  { request, signal }: StepOptions,
): Promise<Step> {
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
