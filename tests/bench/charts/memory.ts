import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { painterOptions } from '../../../server/src/viz/render-process.ts';

/** Memory of a painter: flat over ten thousand pictures, and its peak with the largest one. */
export function measureMemory(): Promise<string> {
  const program = fileURLToPath(new URL('memory-process.ts', import.meta.url));
  return Promise.resolve(execFileSync(process.execPath, [...painterOptions, program], { encoding: 'utf8' }));
}
