import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The memory of this process, which includes the server, after garbage collection. */
export async function keptMemory(): Promise<NodeJS.MemoryUsage> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  // Buffers are freed shortly after the garbage collection.
  await setTimeout(10);
  collectGarbage();
  return process.memoryUsage();
}
