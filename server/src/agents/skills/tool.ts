import type { Db } from '../../db/tables.ts';
import type { Principal, Schemas } from '../../operation.ts';
import type { ToolDescription } from '../runtimes/runtime.ts';

/** A function that a model can call. */
export interface Tool extends ToolDescription {
  /** Whether the effect is in the database and must be committed in one transaction with its message. */
  readonly isTransactional: boolean;
  /** Rejects with a Problem if the call is invalid. The model receives its message. */
  call(values: Readonly<Record<string, unknown>>, toolContext: ToolContext): Promise<ToolResult>;
}

export interface ToolContext {
  readonly db: Db;
  /** The user, with the agent that acts for them. */
  readonly caller: Principal;
  readonly context: Readonly<Record<string, unknown>>;
}

export interface ToolResult {
  /** For the model. */
  readonly content: string;
  /** For the user, in addition. */
  readonly attachments: Schemas['Attachment'][] | null;
}
