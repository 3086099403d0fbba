import type { Schemas } from '../../operation.ts';

type Message = Pick<Schemas['Message'], 'role' | 'content' | 'tool_calls' | 'tool_call_id'>;
type ToolCall = Schemas['ToolCall'];

export type NextStep =
  | { readonly kind: 'callModel' }
  | { readonly kind: 'callTool'; readonly call: ToolCall }
  | { readonly kind: 'complete'; readonly output: string }
  | { readonly kind: 'fail'; readonly error: Schemas['RunError'] };

interface RunProgress {
  /** The messages of the run, oldest first. */
  readonly log: readonly Message[];
  readonly stepsMax: number;
  readonly isOverdue: boolean;
}

/**
 * Computes the next step of a run from its log alone, so that a worker that resumes the run after a crash comes to the
 * same step.
 */
export function nextStep({ log, stepsMax, isOverdue }: RunProgress): NextStep {
  const steps = log.filter((message) => message.role === 'assistant');
  const last = steps.at(-1);
  const pendingCall = last === undefined ? undefined : firstPendingCall(last, log);
  if (last !== undefined && last.tool_calls === null) return { kind: 'complete', output: last.content };
  if (isOverdue) return failure('timeout', 'The run exceeded the time limit of this server.');
  if (pendingCall !== undefined) return { kind: 'callTool', call: pendingCall };
  if (steps.length >= stepsMax) {
    return failure('max_steps', `The run did not finish within ${stepsMax} steps of its model.`);
  }
  return { kind: 'callModel' };
}

/** The first tool call of a message that has no result yet. */
function firstPendingCall(message: Message, log: readonly Message[]): ToolCall | undefined {
  const completed = new Set(log.map((each) => each.tool_call_id));
  return message.tool_calls?.find((call) => !completed.has(call.id));
}

function failure(code: Schemas['RunError']['code'], message: string): NextStep {
  return { kind: 'fail', error: { code, message } };
}
