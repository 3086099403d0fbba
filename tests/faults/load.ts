import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, type RawResponse } from './connection.ts';

interface Load {
  readonly url: string;
  readonly connections: number;
  readonly next: (index: number) => string;
}

/**
 * Sends `count` requests, or sends for `ms`. Each connection sends its next request when the previous one is answered,
 * until it breaks.
 */
export async function closedLoop(
  { url, connections, next }: Load,
  { count = Infinity, ms = Infinity }: { readonly count?: number; readonly ms?: number },
): Promise<RawResponse[]> {
  const responses: RawResponse[] = [];
  const endMs = performance.now() + ms;
  let sent = 0;
  const runConnection = async (): Promise<void> => {
    const connection = openConnection(url);
    for (let isOpen = true; isOpen && sent < count && performance.now() < endMs;) {
      const response = await connection.send(next(sent++));
      responses.push(response);
      isOpen = response.status !== 0;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, runConnection));
  return responses;
}

/**
 * Sends requests at a constant rate, even while earlier requests wait for their responses. Leaves out requests that are
 * due while no connection is free.
 */
export async function openLoop(
  { url, connections, next }: Load,
  { rate, ms }: { readonly rate: number; readonly ms: number },
): Promise<RawResponse[]> {
  const all = Array.from({ length: connections }, () => openConnection(url));
  const free = [...all];
  const responses: RawResponse[] = [];
  const pending = new Set<Promise<void>>();
  let due = 0;
  const startMs = performance.now();
  while (performance.now() - startMs < ms) {
    await sleep(2);
    const target = ((performance.now() - startMs) / 1000) * rate;
    for (; due < target; due++) {
      const connection = free.pop();
      if (connection === undefined) continue;
      const settled = connection.send(next(due)).then((response) => {
        responses.push(response);
        free.push(connection);
        pending.delete(settled);
      });
      pending.add(settled);
    }
  }
  await Promise.all(pending);
  for (const connection of all) connection.close();
  return responses;
}
