import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

// With a million characters, a linear function takes less than a second on a quiet machine, and a quadratic one half an
// hour.
const limitMs = 120_000;

const thread = `
  const { parentPort, workerData } = require('node:worker_threads');
  void import(workerData.module).then((exported) => {
    parentPort.postMessage(exported[workerData.name](...workerData.values));
  });
`;

/** Calls an exported function in a thread of its own. Rejects if the call does not end. */
export async function callInThread(
  module: string,
  name: string,
  values: readonly unknown[],
): Promise<unknown> {
  const worker = new Worker(thread, { eval: true, workerData: { module, name, values } });
  try {
    const message = (await once(worker, 'message', { signal: AbortSignal.timeout(limitMs) })) as unknown[];
    return message[0];
  } finally {
    await worker.terminate();
  }
}
