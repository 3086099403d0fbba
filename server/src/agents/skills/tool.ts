import type { Write } from '../../db/write.ts';
import type { InvalidField } from '../../contract/problem.ts';
import type { Caller, Schemas } from '../../contract/operation.ts';
import type { ToolDescription } from '../runtimes/runtime.ts';

/** A function that a model can call. */
export interface Tool extends ToolDescription {
  /** JSON Schema of the arguments, as users see it. `parameters` is the form for models. */
  readonly inputSchema: object;
  /** True if a call may be repeated, because its only effect is the write that it returns. */
  readonly isRepeatable: boolean;
  /** True if every call waits for the user's approval, whatever the agent's `approvals` say. */
  readonly needsApproval: boolean;
  /** The value that an approval is bound to. If the value changes, the user is asked again. */
  identity(): string;
  /** Finds errors in the arguments without making the call, as far as possible. */
  findErrors(values: Readonly<Record<string, unknown>>): readonly InvalidField[];
  /** Rejects with a Problem if the call is invalid. The model receives the problem's message. */
  call(values: Readonly<Record<string, unknown>>, toolContext: ToolContext): Promise<ToolResult>;
}

export interface Skill {
  /**
   * Lists the tools, which an MCP server may change at any time. With `isFresh`, asks the server even if its last list is
   * recent. Rejects if the signal aborts.
   */
  readonly listTools: (signal: AbortSignal, isFresh?: boolean) => Promise<readonly Tool[]>;
  /** The last list, without asking the server; undefined before the first one. */
  readonly lastList: () => ListedTools | undefined;
}

export interface ListedTools {
  readonly tools: readonly Tool[];
  /** Why the tools could not be listed, as a sentence. `tools` then has the last known tools. */
  readonly problem: string | undefined;
}

export interface ToolContext {
  /** The user, and the agent that acts for the user. */
  readonly caller: Caller;
  readonly context: Readonly<Record<string, unknown>>;
  /** Aborts when the run is stopped or exceeds its time limit. */
  readonly signal: AbortSignal;
  /**
   * Commits a record that the call is about to take effect outside the database. After a crash, such a call is not
   * repeated, and its result says that the outcome is unknown.
   */
  readonly begin: () => Promise<void>;
  /** Resources that stay open for later calls of the run. They are closed when this process stops executing the run. */
  readonly resources: AsyncDisposableStack;
}

/** Tells the model that a call was begun and its result was lost. */
export const unknownOutcome =
  'The outcome of this call is unknown: it may have taken effect. Find out before you repeat it.';

export interface ToolResult {
  /** The text for the model. */
  readonly content: string;
  /** Files for the user, in addition to the text. */
  readonly attachments: Schemas['Attachment'][] | null;
  readonly isError?: boolean;
  /** The effect of the call. It is committed together with the call's message. */
  readonly write?: Write | undefined;
}
