import type { Schemas } from '../../operation.ts';
import { RuntimeFailure, type Runtime } from './runtime.ts';

type State = Schemas['RuntimeState'];

/** A runtime that knows how its last step has ended. */
export interface ObservedRuntime extends Runtime {
  readonly state: () => State;
}

export function observed(runtime: Runtime, initialState: State): ObservedRuntime {
  let state = initialState;
  return {
    model: runtime.model,
    state: () => state,
    step: async (request) => {
      try {
        const step = await runtime.step(request);
        state = 'ready';
        return step;
      } catch (error) {
        if (isFailing(error, request.signal)) state = 'failing';
        throw error;
      }
    },
  };
}

// Errors about the request, with which a working model server has answered.
const refusals: readonly Schemas['RunError']['code'][] = ['context_length_exceeded', 'tools_not_supported'];

/**
 * Returns true if the error says that the runtime does not work. A step that was stopped says nothing about it, but a
 * step that exceeded its time limit does.
 */
function isFailing(error: unknown, { aborted, reason }: AbortSignal): boolean {
  if (aborted) return reason instanceof DOMException && reason.name === 'TimeoutError';
  return error instanceof RuntimeFailure && !refusals.includes(error.code);
}
