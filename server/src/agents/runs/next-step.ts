import type { Schemas } from '../../contract/operation.ts';

type Message = Pick<Schemas['Message'], 'role' | 'content' | 'tool_calls' | 'tool_call_id'> & {
  /** Why the model's answer was cut off; null if it is complete. */
  readonly incomplete_reason: Schemas['IncompleteDetails']['reason'] | null;
};
type ToolCall = Schemas['ToolCall'];

/** How a run ended, in the fields of the run that record it. */
export interface RunOutcome {
  readonly status: 'completed' | 'incomplete' | 'failed';
  readonly output?: string;
  readonly incomplete_details?: Schemas['IncompleteDetails'];
  readonly error?: Schemas['RunError'];
  /** The error that caused a failure, for the server's log. */
  readonly cause?: unknown;
}

type NextStep =
  | { readonly kind: 'callModel'; readonly isLast: boolean }
  | { readonly kind: 'callTool'; readonly call: ToolCall }
  | { readonly kind: 'requireAction'; readonly calls: ToolCall[] }
  | { readonly kind: 'end'; readonly outcome: RunOutcome };

interface RunProgress {
  /** The messages of the run, oldest first. */
  readonly log: readonly Message[];
  readonly stepsMax: number;
  readonly isOverdue: boolean;
  /** Returns true if the user still has to decide about a call. */
  readonly isUndecided: (call: ToolCall) => boolean;
}

/** Computes the next step of a run from its log and decisions, so another worker finds the same step after a crash. */
export function nextStep({ log, stepsMax, isOverdue, isUndecided }: RunProgress): NextStep {
  const steps = log.filter((message) => message.role === 'assistant');
  const last = steps.at(-1);
  const pendingCalls = callsWithoutResult(log);
  const [firstCall] = pendingCalls;
  const undecided = pendingCalls.filter(isUndecided);
  if (last !== undefined) {
    const { content: output, incomplete_reason: reason } = last;
    // Each call of the step already has a result, which says that the call was not executed.
    if (reason !== null)
      return { kind: 'end', outcome: { status: 'incomplete', output, incomplete_details: { reason } } };
    if (last.tool_calls === null) return { kind: 'end', outcome: { status: 'completed', output } };
  }
  if (isOverdue) return { kind: 'end', outcome: overdue };
  // Wait for all decisions before the first call, so that the calls take effect in their order.
  if (undecided.length > 0) return { kind: 'requireAction', calls: undecided };
  if (firstCall !== undefined) return { kind: 'callTool', call: firstCall };
  // After the allowed number of steps, the model answers once more, without tools.
  return { kind: 'callModel', isLast: steps.length >= stepsMax };
}

/** The tool calls without a result. Model servers refuse a conversation with unanswered calls. */
export function callsWithoutResult(log: readonly Pick<Message, 'tool_calls' | 'tool_call_id'>[]): ToolCall[] {
  const completed = new Set(log.map((message) => message.tool_call_id));
  return log.flatMap(({ tool_calls: calls }) => calls ?? []).filter(({ id }) => !completed.has(id));
}

export function failure(code: Schemas['RunError']['code'], message: string, cause?: unknown): RunOutcome {
  return { status: 'failed', error: { code, message }, cause };
}

export const overdue = failure('timeout', 'The run exceeded the time limit of this server.');
