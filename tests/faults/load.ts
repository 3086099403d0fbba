import { setTimeout as sleep } from 'node:timers/promises';
import { openConnection, type RawAnswer } from './connection.ts';

interface Load {
  readonly url: string;
  readonly connections: number;
  /** The request to send next. */
  readonly next: (index: number) => string;
}

/** Each connection sends as soon as it is answered, until so many are sent or the time is over. */
export async function closedLoop(
  { url, connections, next }: Load,
  { count = Infinity, ms = Infinity }: { readonly count?: number; readonly ms?: number },
): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  const endMs = performance.now() + ms;
  let sent = 0;
  const work = async (): Promise<void> => {
    const connection = openConnection(url);
    while (sent < count && performance.now() < endMs) answers.push(await connection.send(next(sent++)));
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return answers;
}

export interface Offered {
  readonly answers: readonly RawAnswer[];
  /** Due while every connection waited for its answer. */
  readonly unsent: number;
}

/** Requests fall due at a steady rate, whether the earlier ones are answered or not. */
export async function openLoop(
  { url, connections, next }: Load,
  { rate, ms }: { readonly rate: number; readonly ms: number },
): Promise<Offered> {
  const all = Array.from({ length: connections }, () => openConnection(url));
  const free = [...all];
  const answers: RawAnswer[] = [];
  const pending = new Set<Promise<void>>();
  let due = 0;
  let unsent = 0;
  const startMs = performance.now();
  while (performance.now() - startMs < ms) {
    await sleep(2);
    const target = ((performance.now() - startMs) / 1000) * rate;
    for (; due < target; due++) {
      const connection = free.pop();
      if (connection === undefined) unsent++;
      else {
        const answered = connection.send(next(due)).then((answer) => {
          answers.push(answer);
          free.push(connection);
          pending.delete(answered);
        });
        pending.add(answered);
      }
    }
  }
  await Promise.all(pending);
  for (const connection of all) connection.close();
  return { answers, unsent };
}
