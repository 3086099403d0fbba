import type { OperationId } from '../../server/src/contract/operation.ts';
import type { Client, Input } from '../support/client.ts';
import { acknowledge, type Ledger, type Write } from './ledger.ts';
import type { Random } from './random.ts';
import { sendRequest, type RequestOutcome } from './send-request.ts';

interface WriterOptions {
  readonly ledger: Ledger;
  readonly random: Random;
  /** Distinguishes the markers of these writers from the markers of other loads. */
  readonly name: string;
  readonly writers: number;
  /** Checked before each write. */
  readonly isDone: () => boolean;
  readonly onOutcome?: (outcome: RequestOutcome, write: Write) => void;
  readonly continuesAfterFailure?: boolean;
}

/**
 * Sends writes of every kind until `isDone`, or until a request fails. Each writer has its own tasks and waits for each
 * response. So the order of the acknowledged writes is known, and at most one write per task is in doubt.
 */
export async function runWriters(client: Client, options: WriterOptions): Promise<void> {
  const numbers = Array.from({ length: options.writers }, (_, index) => index);
  await Promise.all(numbers.map((number) => runWriter(client, options, number)));
}

async function runWriter(client: Client, options: WriterOptions, writer: number): Promise<void> {
  const { ledger } = options;
  const taskIds: string[] = [];
  for (let count = 0; !options.isDone(); count++) {
    const write = nextWrite(taskIds, options.random, `${options.name} ${writer} ${count}`);
    const outcome = await sendRequest(client, ...requestOf(write));
    options.onOutcome?.(outcome, write);
    const isDone = outcome.kind === 'responded' && outcome.response.status < 300;
    if (isDone) {
      acknowledge(ledger, write, outcome.response.body);
      if (write.action === 'create') taskIds.push(...[...ledger.tasks.keys()].slice(-1));
    } else {
      if (outcome.kind !== 'unreachable') ledger.inDoubt.push(write);
      if (options.continuesAfterFailure !== true) return;
    }
    // Stops writing to a task that is deleted, or whose last write is in doubt.
    const isWritable = isDone && write.action !== 'delete';
    if (!isWritable && write.taskId !== undefined) taskIds.splice(taskIds.indexOf(write.taskId), 1);
  }
}

const operations = {
  create: 'createTask',
  update: 'updateTask',
  assign: 'assignTask',
  comment: 'createComment',
  delete: 'deleteTask',
} as const satisfies Record<Write['action'], OperationId>;

/** The request of a write. It is the same in every retry. */
export function requestOf({ action, taskId, body, key }: Write): [OperationId, Input] {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  return [operations[action], { id: taskId, body, headers }];
}

function nextWrite(taskIds: readonly string[], random: Random, marker: string): Write {
  const [first, ...others] = taskIds;
  const share = random.next();
  const key = random.next() < 0.5 ? marker : undefined;
  const status = random.pick(['todo', 'in_progress', 'done']);
  if (first === undefined || share < 0.3)
    return { action: 'create', taskId: undefined, marker, body: { title: marker }, key };
  const target = { taskId: random.pick([first, ...others]), marker, key: undefined };
  if (share < 0.55) return { ...target, action: 'update', body: { title: marker, status } };
  if (share < 0.75) return { ...target, action: 'comment', body: { body: marker }, key };
  if (share < 0.9) return { ...target, action: 'assign', body: { assignee_id: marker } };
  return { ...target, action: 'delete', body: undefined };
}
