import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../support/client.ts';
import { sendRequest } from './send-request.ts';

const limitMs = 60_000;

/** Creates and deletes a task as soon as the server can. Resolves to the time until this succeeded. */
export async function waitForWrite(client: Client): Promise<number> {
  const startMs = performance.now();
  while (!(await canWrite(client))) {
    if (performance.now() - startMs > limitMs) throw new Error('The server did not recover within a minute.');
    await sleep(20);
  }
  return performance.now() - startMs;
}

async function canWrite(client: Client): Promise<boolean> {
  const outcome = await sendRequest(client, 'createTask', { body: { title: 'recovered' } });
  if (outcome.kind !== 'responded' || outcome.response.status !== 201) return false;
  await client.ok('deleteTask', { id: (outcome.response.body as { task: { id: string } }).task.id });
  return true;
}
