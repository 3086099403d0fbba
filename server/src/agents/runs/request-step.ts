import type { Schemas } from '../../operation.ts';
import { ModelUnavailable, RuntimeFailure, type Step, type StepRequest } from '../runtimes/runtime.ts';
import type { AgentServices } from '../services.ts';
import type { LeasedRun } from './lease.ts';
import { countTokens, limitStepsByTokens } from './limit-tokens.ts';

export type StepServices = Pick<
  AgentServices,
  'db' | 'config' | 'runtimes' | 'workers' | 'onModelCall' | 'shutdownSignal'
>;

// After this time without any part of a response, the worker's place is lent.
const silentMs = 10_000;

/**
 * Requests a step from the runtime of a run, within the time limit of a step. Counts its tokens and its outcome, and
 * records whether the runtime works. While the runtime is silent, other runs may have the place of this run.
 */
export async function requestStep(
  { db, config, runtimes, workers, onModelCall, shutdownSignal }: StepServices,
  run: LeasedRun,
  request: Omit<StepRequest, 'onTokens' | 'onPart'>,
): Promise<Step> {
  const { signal: stopped } = request;
  const runtime = runtimes.get(run.runtime);
  if (runtime === undefined)
    throw new RuntimeFailure(`The runtime "${run.runtime}" is no longer configured on this server.`);
  const { tokensPerUserMax: max, stepMs } = config;
  if (runtime.model !== null) await limitStepsByTokens(db, run.userId, max);
  const timeout = AbortSignal.timeout(stepMs);
  const signal = AbortSignal.any([stopped, timeout]);
  let tokens = 0;
  const onTokens = (used: number): void => {
    tokens += used;
  };
  let takeBack = (): void => undefined;
  const silence = setTimeout(() => {
    takeBack = workers.lendPlace(run);
  }, silentMs);
  const onPart = (): void => {
    clearTimeout(silence);
    takeBack();
  };
  try {
    const step = await runtime.step({ ...request, onTokens, onPart, signal });
    onModelCall(run.runtime, 'answered', step.usage);
    runtime.state = 'ready';
    return step;
  } catch (cause) {
    // If the shutdown interrupts this request, another process repeats it and counts its tokens.
    if (shutdownSignal.aborted) tokens = 0;
    // A stopped request does not show whether the runtime works.
    if (stopped.aborted) throw cause;
    const failure = timeout.aborted ? new RuntimeFailure(tooSlow, { cause }) : cause;
    onModelCall(run.runtime, failure instanceof ModelUnavailable ? 'unavailable' : 'failed', null);
    if (failure instanceof RuntimeFailure && !refusals.includes(failure.code)) runtime.state = 'failing';
    throw failure;
  } finally {
    onPart();
    await countTokens(db, { userId: run.userId, max, tokens });
  }
}

const tooSlow = 'The model did not respond within the time limit of a step.';

// Errors with which a working model server refuses a request.
const refusals: readonly Schemas['RunError']['code'][] = [
  ...(['context_length_exceeded', 'tools_not_supported', 'invalid_option'] as const),
];
