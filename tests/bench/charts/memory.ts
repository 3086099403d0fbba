import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { renderProcessOptions } from '../../../server/src/viz/render-process.ts';

/** Memory of a render process over 10,000 pictures, and its peak with the largest ones. */
export function measureMemory(): Promise<string> {
  const program = fileURLToPath(new URL('memory-process.ts', import.meta.url));
  return Promise.resolve(
    execFileSync(process.execPath, [...renderProcessOptions, program], { encoding: 'utf8' }),
  );
}
