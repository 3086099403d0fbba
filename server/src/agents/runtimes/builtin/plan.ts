import type { Schemas } from '../../../contract/operation.ts';
import type { RequestedCall } from '../runtime.ts';

/** Yields tool calls one after the other, receives the output of each, and returns a sentence. */
export type Plan<Result = string> = Generator<
  RequestedCall,
  Result,
  { readonly content: string; readonly isError: boolean }
>;

/** Ends a plan. The message is the sentence for the user. */
export class PlanFailed extends Error {
  override name = 'PlanFailed';
}

/** The groups of the pattern that matched. Without `task`, a command is about the task in the context of the run. */
export type Parts = Readonly<Partial<Record<string, string>>>;

export type Context = Readonly<Record<string, unknown>>;

export function* call(name: string, values: Context): Plan<Results> {
  const { content, isError } = yield { name, arguments: values };
  if (isError) throw new PlanFailed(`That did not work: ${content}`);
  // The cast is safe, because a plan reads only the members that the tool's operation returns.
  return JSON.parse(content) as Results;
}

/** The members of the results of all tools. Null values are left out of results. */
export interface Results {
  readonly tasks: readonly Schemas['Task'][];
  readonly count: number;
  readonly task: Schemas['Task'];
  readonly comments: readonly Schemas['Comment'][];
}
