import type { Write } from '../../db/write.ts';
import type { InvalidField } from '../../errors.ts';
import type { Principal, Schemas } from '../../operation.ts';
import type { ToolDescription } from '../runtimes/runtime.ts';

/** A function that a model can call. */
export interface Tool extends ToolDescription {
  /** True if a call does nothing itself, so that it can be made again: its effect is the write that it returns. */
  readonly isRepeatable: boolean;
  /** Whether every call waits for the user's approval, whatever the agent's `approvals` say. */
  readonly needsApproval: boolean;
  /** What an approval of it is bound to: if that changes, the user is asked again. */
  identity(): string;
  /** The errors of arguments that a call would be refused with, as far as they are known without a call. */
  findErrors(values: Readonly<Record<string, unknown>>): readonly InvalidField[];
  /** Rejects with a Problem if the call is invalid. The model receives its message. */
  call(values: Readonly<Record<string, unknown>>, toolContext: ToolContext): Promise<ToolResult>;
}

export interface Skill {
  /** Lists the tools. An MCP server may change its tools at any time. Rejects if the signal aborts. */
  readonly listTools: (signal: AbortSignal) => Promise<readonly Tool[]>;
  /** The last list, without asking the server; undefined before the first one. */
  readonly lastList: () => ListedTools | undefined;
}

export interface ListedTools {
  readonly tools: readonly Tool[];
  /** Why the tools could not be listed, as a sentence. Those that were listed before are then still there. */
  readonly problem: string | undefined;
}

export interface ToolContext {
  /** The user, with the agent that acts for them. */
  readonly caller: Principal;
  readonly context: Readonly<Record<string, unknown>>;
  /** Aborts when the run is stopped or exceeds its time limit. */
  readonly signal: AbortSignal;
  /**
   * Commits that the call is about to take effect outside the database. After a crash, the call is not repeated: its result
   * says that its outcome is unknown.
   */
  readonly begin: () => Promise<void>;
  /** What calls keep open for later calls of the run. It is closed when this process stops executing the run. */
  readonly resources: AsyncDisposableStack;
  /** The names of the tools that the run has called before. */
  readonly earlierCalls: readonly string[];
}

/** For the model, about a call that has begun and whose result was lost. */
export const unknownOutcome =
  'The outcome of this call is unknown: it may have taken effect. Find out before you repeat it.';

export interface ToolResult {
  /** For the model. */
  readonly content: string;
  /** For the user, in addition. */
  readonly attachments: Schemas['Attachment'][] | null;
  readonly isError?: boolean;
  /** The effect of the call, in the transaction that appends its message. */
  readonly write?: Write | undefined;
}
