import type { Client } from '../support/client.ts';
import { attempt, type Attempt } from './attempt.ts';
import type { Chance } from './chance.ts';
import { acknowledge, type Ledger, type Write } from './ledger.ts';

interface Writing {
  readonly ledger: Ledger;
  readonly chance: Chance;
  /** Makes the marks of this load differ from those of others. */
  readonly name: string;
  readonly writers: number;
  /** Stops before the next write when it says so. */
  readonly isOver: () => boolean;
  readonly onAttempt?: (attempt: Attempt, write: Write) => void;
  /** Whether a writer goes on after a failure instead of ending. */
  readonly goesOn?: boolean;
}

/**
 * Writes of every kind until it is over or the server is gone. Each writer has tasks of its own and waits for each
 * answer, so that the order of the acknowledged writes is known and at most one of a task is in doubt.
 */
export async function keepWriting(client: Client, writing: Writing): Promise<void> {
  const numbers = Array.from({ length: writing.writers }, (_, index) => index);
  await Promise.all(numbers.map((number) => writeAlone(client, writing, number)));
}

async function writeAlone(client: Client, writing: Writing, writer: number): Promise<void> {
  const { ledger } = writing;
  const own: string[] = [];
  for (let turn = 0; !writing.isOver(); turn++) {
    const write = nextWrite(own, writing.chance, `${writing.name} ${writer} ${turn}`);
    const sent = await attempt(client, write.operation, inputOf(write));
    writing.onAttempt?.(sent, write);
    if (sent.kind === 'answered' && sent.answer.status < 300) {
      acknowledge(ledger, write, sent.answer.body);
      if (write.action === 'create') own.push(...[...ledger.tasks.keys()].slice(-1));
    } else if (sent.kind !== 'unreachable') {
      ledger.doubts.push(write);
      if (writing.goesOn !== true) return;
    } else if (writing.goesOn !== true) return;
    // A task that is deleted, or perhaps deleted, is written no more; so is one whose last write is in doubt.
    const isWritable = sent.kind === 'answered' && sent.answer.status < 300 && write.action !== 'delete';
    if (!isWritable && write.taskId !== undefined) own.splice(own.indexOf(write.taskId), 1);
  }
}

/** Sends a write as it is sent the first time and again. */
export function inputOf({ taskId, body, key }: Write): {
  id: string | undefined;
  body: unknown;
  headers: Record<string, string>;
} {
  return { id: taskId, body, headers: key === undefined ? {} : { 'Idempotency-Key': key } };
}

function nextWrite(own: readonly string[], chance: Chance, mark: string): Write {
  const [first, ...others] = own;
  const share = chance.next();
  const key = chance.next() < 0.5 ? mark : undefined;
  const status = chance.pick(['todo', 'in_progress', 'done']);
  if (first === undefined || share < 0.3) {
    return { action: 'create', operation: 'createTask', taskId: undefined, mark, body: { title: mark }, key };
  }
  const about = { taskId: chance.pick([first, ...others]), mark, key: undefined };
  if (share < 0.55)
    return { ...about, action: 'update', operation: 'updateTask', body: { title: mark, status } };
  if (share < 0.75)
    return { ...about, action: 'comment', operation: 'createComment', body: { body: mark }, key };
  if (share < 0.9)
    return { ...about, action: 'assign', operation: 'assignTask', body: { assignee_id: mark } };
  return { ...about, action: 'delete', operation: 'deleteTask', body: undefined };
}
