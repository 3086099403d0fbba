import type { Db } from '../../db/tables.ts';
import type { Principal, Schemas } from '../../operation.ts';
import type { ToolDescription } from '../runtimes/runtime.ts';

/** Something that a model can ask for. */
export interface Tool extends ToolDescription {
  /** Whether the effect is in the database, so that it has to be one transaction with its message. */
  readonly isTransactional: boolean;
  /** Rejects with a Problem when it is refused; the model is told why. */
  call(values: Readonly<Record<string, unknown>>, use: ToolUse): Promise<ToolResult>;
}

export interface ToolUse {
  readonly db: Db;
  /** The user, with the agent that acts. */
  readonly caller: Principal;
  readonly context: Readonly<Record<string, unknown>>;
}

export interface ToolResult {
  /** What the model reads. */
  readonly content: string;
  /** What the user gets besides. */
  readonly attachments: Schemas['Attachment'][] | null;
}
