import type { OperationId, PlanningOperation, Schemas } from '../operation.ts';

/** A tool: an operation of the contract, as a model sees it. */
export type ToolEntry = Description &
  (
    | {
        readonly effect: 'reads';
        readonly operation: Exclude<OperationId, PlanningOperation>;
        readonly skills?: readonly SkillName[];
      }
    // A run commits the write of a call and its message as one, so agents change tasks only by operations that plan writes.
    | {
        readonly effect: Exclude<Effect, 'reads'>;
        readonly operation: PlanningOperation;
        readonly skills?: readonly Exclude<SkillName, 'tasks:read'>[];
      }
    | { readonly effect: Exclude<Effect, 'reads'>; readonly operation: OperationId; readonly skills?: never }
  );

interface Description {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The field of the result that has the entries of a list. */
  readonly list?: string;
  /** The fields of each entry of a list that agents get. Their conversations are stored, and sent with every step. */
  readonly summary?: readonly (keyof Schemas['Task'] | keyof Schemas['Comment'])[];
  /** The result is the picture of this field, as base64. */
  readonly picture?: 'png_base64';
  /** Fields of the body that the result does not have. */
  readonly omits?: readonly string[];
  /** True if the tool has so many arguments that each has only the first sentence of its description. */
  readonly isBrief?: boolean;
  /** Headers that every call has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Arguments that the context of a run gives where its model does not. */
  readonly fromContext?: readonly string[];
}

/** The skills of agents with tools of this server. A tool without skills is only for `/mcp`. */
type SkillName = 'tasks' | 'tasks:read' | 'viz';

type Effect = keyof typeof effects;

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const adds = { ...reads, readOnlyHint: false, idempotentHint: false };
const changes = { ...reads, readOnlyHint: false, destructiveHint: true };

/**
 * What a call does. The hints are those of the protocol; every one is set, because clients take an absent `destructiveHint`
 * for true. Agents wait for the user's approval where it is needed; `/mcp` cannot, so its operator decides.
 */
export const effects = {
  reads: { hints: reads, needsApproval: false },
  adds: { hints: adds, needsApproval: false },
  changes: { hints: changes, needsApproval: false },
  deletes: { hints: changes, needsApproval: true },
  delegates: { hints: { ...changes, idempotentHint: false, openWorldHint: true }, needsApproval: false },
};

/** Who calls a tool: a program that is connected to `/mcp`, or an agent of this server. */
export type ToolClient = 'mcp' | 'agent';
