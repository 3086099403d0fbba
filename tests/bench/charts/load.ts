import { setTimeout as sleep } from 'node:timers/promises';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Without one the request is a GET. */
  readonly body?: string;
}

const connections = 8;
const paceMs = 20;

/** Answers a second, with a request always waiting on each connection. */
export async function throughput(target: Target, ms: number): Promise<number> {
  const end = performance.now() + ms;
  let count = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      await send(target);
      count++;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return (count * 1000) / ms;
}

/** How long answers take when requests come at a steady pace, whatever the earlier ones took. */
export async function latencies(target: Target, ms: number): Promise<number[]> {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  for (let due = performance.now(), end = due + ms; due < end; due += paceMs) {
    await sleep(Math.max(0, due - performance.now()));
    const start = due;
    sent.push(send(target).then(() => void times.push(performance.now() - start)));
  }
  await Promise.all(sent);
  return times;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function send({ url, headers, body }: Target): Promise<void> {
  const options = body === undefined ? {} : { method: 'POST', body };
  const response = await fetch(url, {
    ...options,
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
}
