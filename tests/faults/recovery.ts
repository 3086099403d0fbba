import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../support/client.ts';
import { sendRequest } from './send-request.ts';

const limitMs = 60_000;

/** Creates and deletes a task as soon as the server can. Resolves to the time until this succeeded. */
export async function waitForWrite(client: Client): Promise<number> {
  const startMs = performance.now();
  await waitForWrites(client, 1);
  return performance.now() - startMs;
}

/** Creates and deletes tasks until this many in a row have succeeded. */
export async function waitForWrites(client: Client, count: number): Promise<void> {
  const startMs = performance.now();
  for (let inARow = 0; inARow < count;) {
    if (performance.now() - startMs > limitMs) throw new Error('The server did not recover within a minute.');
    inARow = (await canWrite(client)) ? inARow + 1 : 0;
    if (inARow === 0) await sleep(20);
  }
}

async function canWrite(client: Client): Promise<boolean> {
  const outcome = await sendRequest(client, 'createTask', { body: { title: 'recovered' } });
  if (outcome.kind !== 'responded' || outcome.response.status !== 201) return false;
  await client.ok('deleteTask', { id: (outcome.response.body as { task: { id: string } }).task.id });
  return true;
}
