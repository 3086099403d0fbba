import type { OperationId, PlanningOperation, Schemas } from '../contract/operation.ts';
import type { PortableSchema } from './portable-schema.ts';

/** A tool: an operation of the contract as models see it. */
export type ToolEntry = ToolDescription &
  (
    | { readonly effect: 'reads'; readonly operation: Exclude<OperationId, PlanningOperation> }
    // Agents change tasks only by operations that plan their write, because a run commits the write and the message of
    // a call together.
    | { readonly effect: Exclude<Effect, 'reads'>; readonly operation: PlanningOperation }
    | { readonly effect: Exclude<Effect, 'reads'>; readonly operation: OperationId; readonly skills?: never }
  );

interface ToolDescription {
  readonly name: string;
  readonly description: string;
  /** The field with the entries of a list. */
  readonly list?: string;
  /** The fields of entries that agents get. They are few, because conversations are stored and sent with every step. */
  readonly summary?: readonly (keyof Schemas['Task'] | keyof Schemas['Comment'])[];
  /** The field with a picture as base64, which is the result. */
  readonly picture?: 'png_base64';
  /** Parameters that the tool does not take, and fields of the body that the result does not have. */
  readonly omits?: readonly string[];
  /** Schemas of arguments that replace the contract's schemas. */
  readonly schemas?: Readonly<Record<string, PortableSchema>>;
  /** Headers of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Arguments that come from the context of the run if the model leaves them out, or sends null or an empty text. */
  readonly fromContext?: readonly string[];
  /** The skills of agents that have the tool. A tool without skills is only for `/mcp`. */
  readonly skills?: readonly ('tasks' | 'tasks:read' | 'viz')[];
}

type Effect = keyof typeof effects;

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const adds = { ...reads, readOnlyHint: false, idempotentHint: false };
const changes = { ...reads, readOnlyHint: false, destructiveHint: true };

/**
 * The effects of calls. Every hint of the protocol is set, because clients take an absent `destructiveHint` as true.
 * With `needsApproval`, an agent's call waits for the user's approval. `/mcp` cannot wait, so it has no such tool.
 */
export const effects = {
  reads: { hints: reads, needsApproval: false },
  adds: { hints: adds, needsApproval: false },
  changes: { hints: changes, needsApproval: false },
  deletes: { hints: changes, needsApproval: true },
  delegates: { hints: { ...changes, idempotentHint: false, openWorldHint: true }, needsApproval: false },
};

/** Who calls a tool: a program through `/mcp`, or an agent of this server. */
export type ToolClient = 'mcp' | 'agent';
