/**
 * Sends load from a separate process. With a low priority, it uses only processor time that the server and Postgres
 * leave, so the measured times are the server's. `startOverload` starts it.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RawResponse } from './connection.ts';
import { closedLoop, openLoop } from './load.ts';

interface Overload {
  readonly url: string;
  /** The requests, sent in turn. Each time, `newKey` in them is replaced by another key. */
  readonly requests: readonly string[];
  readonly connections: number;
  /** How long to send requests. If undefined, each connection sends one request. */
  readonly ms?: number;
  /** Requests per second. If undefined, each connection sends its next request when the previous one is answered. */
  readonly rate?: number;
}

export interface OverloadProcess {
  send(load: Overload): Promise<readonly RawResponse[]>;
  [Symbol.dispose](): void;
}

export const newKey = '{new key}';

export async function startOverload(priority = constants.priority.PRIORITY_LOW): Promise<OverloadProcess> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [] });
  await once(child, 'message');
  if (child.pid !== undefined) setPriority(child.pid, priority);
  return {
    send: async (load) => {
      child.send(load);
      const [responses] = (await once(child, 'message')) as [RawResponse[]];
      return responses;
    },
    [Symbol.dispose]: () => {
      child.disconnect();
    },
  };
}

function sendLoad({ requests, rate, ms, ...load }: Overload): Promise<RawResponse[]> {
  const next = (index: number): string =>
    (requests[index % requests.length] ?? '').replace(newKey, () => randomUUID());
  if (rate !== undefined && ms !== undefined) return openLoop({ ...load, next }, { rate, ms });
  return closedLoop({ ...load, next }, ms === undefined ? { count: load.connections } : { ms });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('message', (load: Overload) => {
    void sendLoad(load).then((responses) => process.send?.(responses));
  });
  process.send?.('ready');
}
