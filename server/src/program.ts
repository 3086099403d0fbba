import { join, relative } from 'node:path';

/** How an operator starts the program, in the folder in which it was started: from the sources by the same Node, or packed. */
export const program = import.meta.filename.endsWith('.ts')
  ? [process.execPath, join(import.meta.dirname, 'cli.ts')].map(shortPath).join(' ')
  : 'worktable-server';

/** A path that works in the working directory. */
function shortPath(path: string): string {
  const inside = relative(process.cwd(), path);
  return inside.startsWith('..') ? path : inside;
}
