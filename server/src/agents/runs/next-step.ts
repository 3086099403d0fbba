import type { Schemas } from '../../operation.ts';

type Message = Pick<Schemas['Message'], 'role' | 'content' | 'tool_calls' | 'tool_call_id'> & {
  /** Why the model's answer was cut off. */
  readonly incomplete_reason: Schemas['IncompleteDetails']['reason'] | null;
};
type ToolCall = Schemas['ToolCall'];

export type NextStep =
  | { readonly kind: 'callModel' }
  | { readonly kind: 'callTool'; readonly call: ToolCall }
  | { readonly kind: 'requireAction'; readonly calls: ToolCall[] }
  | { readonly kind: 'complete'; readonly output: string }
  | { readonly kind: 'cutOff'; readonly output: string; readonly details: Schemas['IncompleteDetails'] }
  | { readonly kind: 'fail'; readonly error: Schemas['RunError'] };

interface RunProgress {
  /** The messages of the run, oldest first. */
  readonly log: readonly Message[];
  readonly stepsMax: number;
  readonly isOverdue: boolean;
  /** Returns true if the user has not decided about a call. */
  readonly isUndecided: (call: ToolCall) => boolean;
}

/**
 * Computes the next step of a run from its log alone, so that a worker that resumes the run after a crash comes to the
 * same step.
 */
export function nextStep({ log, stepsMax, isOverdue, isUndecided }: RunProgress): NextStep {
  const steps = log.filter((message) => message.role === 'assistant');
  const last = steps.at(-1);
  const pendingCalls = callsWithoutResult(log);
  const [firstCall] = pendingCalls;
  const undecided = pendingCalls.filter(isUndecided);
  // The calls of the step have results that say that they were not executed.
  if (last !== undefined && last.incomplete_reason !== null)
    return { kind: 'cutOff', output: last.content, details: { reason: last.incomplete_reason } };
  if (last !== undefined && last.tool_calls === null) return { kind: 'complete', output: last.content };
  if (isOverdue) return failure('timeout', 'The run exceeded the time limit of this server.');
  // Decisions come before the first call, so that the calls of a step take effect in their order.
  if (undecided.length > 0) return { kind: 'requireAction', calls: undecided };
  if (firstCall !== undefined) return { kind: 'callTool', call: firstCall };
  if (steps.length >= stepsMax) {
    return failure('max_steps', `The run did not finish within ${stepsMax} steps of its model.`);
  }
  return { kind: 'callModel' };
}

/** The tool calls without a result. A model refuses a conversation with such a call. */
export function callsWithoutResult(log: readonly Pick<Message, 'tool_calls' | 'tool_call_id'>[]): ToolCall[] {
  const completed = new Set(log.map((message) => message.tool_call_id));
  return log.flatMap(({ tool_calls: calls }) => calls ?? []).filter(({ id }) => !completed.has(id));
}

function failure(code: Schemas['RunError']['code'], message: string): NextStep {
  return { kind: 'fail', error: { code, message } };
}
