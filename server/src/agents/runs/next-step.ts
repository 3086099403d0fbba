import type { Schemas } from '../../operation.ts';

type Message = Pick<Schemas['Message'], 'role' | 'content' | 'tool_calls' | 'tool_call_id'>;
type ToolCall = Schemas['ToolCall'];

/** What has to happen next in a run. */
export type NextStep =
  | { readonly kind: 'ask' }
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'complete'; readonly output: string }
  | { readonly kind: 'fail'; readonly error: Schemas['RunError'] };

interface Progress {
  /** The messages of the run, oldest first. */
  readonly log: readonly Message[];
  readonly stepsMax: number;
  readonly isOverdue: boolean;
}

/**
 * Reads from the log of a run where it stands. The log is all there is to know: whoever takes a run up after a crash
 * comes to the same next step.
 */
export function nextStep({ log, stepsMax, isOverdue }: Progress): NextStep {
  const answers = log.filter((message) => message.role === 'assistant');
  const last = answers.at(-1);
  const open = last === undefined ? undefined : openCall(last, log);
  if (last !== undefined && last.tool_calls === null) return { kind: 'complete', output: last.content };
  if (isOverdue) return failure('timeout', 'The run took longer than this server allows.');
  if (open !== undefined) return { kind: 'call', call: open };
  if (answers.length >= stepsMax) {
    return failure('max_steps', `The run was not done after ${stepsMax} steps of its model.`);
  }
  return { kind: 'ask' };
}

/** The first tool call of an answer that has no result yet. */
function openCall(answer: Message, log: readonly Message[]): ToolCall | undefined {
  const done = new Set(log.map((message) => message.tool_call_id));
  return answer.tool_calls?.find((call) => !done.has(call.id));
}

function failure(code: Schemas['RunError']['code'], message: string): NextStep {
  return { kind: 'fail', error: { code, message } };
}
