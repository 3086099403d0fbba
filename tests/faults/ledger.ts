import type { OperationId, Schemas } from '../../server/src/operation.ts';

export type Action = Schemas['AuditLogEntry']['action'];

/** A write on its way: what was asked, and how to tell afterwards whether it happened. */
export interface Write {
  readonly action: Action;
  readonly operation: OperationId;
  /** The task it is about; undefined for a creation. */
  readonly taskId: string | undefined;
  /** The title or the comment, which no other write has. */
  readonly mark: string;
  readonly body: unknown;
  readonly key: string | undefined;
}

/** A task as the acknowledged writes left it. */
export interface KnownTask {
  readonly state: Schemas['Task'];
  readonly actions: readonly Action[];
  readonly comments: readonly string[];
  readonly isDeleted: boolean;
}

/** What the writers know: everything acknowledged, and what was on its way when an answer did not come. */
export interface Ledger {
  readonly tasks: Map<string, KnownTask>;
  readonly doubts: Write[];
  /** Acknowledged under a key since the last check. */
  readonly keyed: { readonly write: Write; readonly id: string }[];
  /** Tasks with an acknowledged write since the last check. */
  readonly touched: Set<string>;
  acknowledged: number;
}

export function newLedger(): Ledger {
  return { tasks: new Map(), doubts: [], keyed: [], touched: new Set(), acknowledged: 0 };
}

/** Notes what an answer promises. The client has held the body against the contract of the operation. */
export function acknowledge(ledger: Ledger, write: Write, body: unknown): void {
  ledger.acknowledged += 1;
  const known = write.taskId === undefined ? undefined : ledger.tasks.get(write.taskId);
  const next = after(known, write, body);
  ledger.tasks.set(next.state.id, next);
  ledger.touched.add(next.state.id);
  if (write.key !== undefined) ledger.keyed.push({ write, id: next.comments.at(-1) ?? next.state.id });
}

function after(known: KnownTask | undefined, write: Write, body: unknown): KnownTask {
  if (known === undefined) {
    return { state: taskIn(body), actions: ['create'], comments: [], isDeleted: false };
  }
  const actions = [...known.actions, write.action];
  switch (write.action) {
    case 'create':
      throw new Error(`The task of ${write.mark} was known before it was created.`);
    case 'update':
    case 'assign':
      return { ...known, actions, state: taskIn(body) };
    case 'comment':
      return { ...known, actions, comments: [...known.comments, idIn(body)] };
    case 'delete':
      return { ...known, actions, isDeleted: true };
  }
}

/** The task of an answer: wrapped, but for assignTask. */
export function taskIn(body: unknown): Schemas['Task'] {
  const { task } = body as { task?: Schemas['Task'] };
  return task ?? (body as Schemas['Task']);
}

export function idIn(body: unknown): string {
  return (body as { id: string }).id;
}
