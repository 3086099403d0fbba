import type { Schemas } from '../../server/src/contract/operation.ts';

type Action = Schemas['AuditLogEntry']['action'];

/** A write request, and what is needed to find out later whether it was applied. */
export interface Write {
  readonly action: Exclude<Action, 'update_comment' | 'delete_comment'>;
  /** Undefined for a request that creates a task. */
  readonly taskId: string | undefined;
  /** A title or comment that is unique to this write. */
  readonly marker: string;
  readonly body: unknown;
  readonly key: string | undefined;
}

/** The state that a task must have after its acknowledged writes. */
export interface KnownTask {
  readonly state: Schemas['Task'];
  readonly actions: readonly Action[];
  readonly comments: readonly string[];
  readonly isDeleted: boolean;
}

/** The acknowledged writes, and the writes in doubt, whose response was lost. */
export interface Ledger {
  readonly tasks: Map<string, KnownTask>;
  readonly inDoubt: Write[];
  /** Acknowledged writes with an idempotency key since the last check. */
  readonly keyed: { readonly write: Write; readonly id: string }[];
  /** Tasks with an acknowledged write since the last check. */
  readonly touched: Set<string>;
  acknowledged: number;
}

export function newLedger(): Ledger {
  return { tasks: new Map(), inDoubt: [], keyed: [], touched: new Set(), acknowledged: 0 };
}

/** Records an acknowledged write, whose response body the client has validated by the contract. */
export function acknowledge(ledger: Ledger, write: Write, body: unknown): void {
  ledger.acknowledged += 1;
  const known = write.taskId === undefined ? undefined : ledger.tasks.get(write.taskId);
  const next = applyWrite(known, write, body);
  ledger.tasks.set(next.state.id, next);
  ledger.touched.add(next.state.id);
  if (write.key !== undefined) ledger.keyed.push({ write, id: next.comments.at(-1) ?? next.state.id });
}

function applyWrite(known: KnownTask | undefined, write: Write, body: unknown): KnownTask {
  if (known === undefined) {
    return { state: taskIn(body), actions: ['create'], comments: [], isDeleted: false };
  }
  const actions = [...known.actions, write.action];
  switch (write.action) {
    case 'create':
      throw new Error(`The task of ${write.marker} exists before it was created.`);
    case 'update':
    case 'assign':
      return { ...known, actions, state: taskIn(body) };
    case 'comment':
      return { ...known, actions, comments: [...known.comments, idIn(body)] };
    case 'delete':
      return { ...known, actions, isDeleted: true };
  }
}

/** The task in a response body. Every operation except assignTask has it in a field `task`. */
export function taskIn(body: unknown): Schemas['Task'] {
  const { task } = body as { task?: Schemas['Task'] };
  return task ?? (body as Schemas['Task']);
}

export function idIn(body: unknown): string {
  return (body as { id: string }).id;
}
