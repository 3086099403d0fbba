import { join, relative } from 'node:path';

/** An error that prevents the start. Its message says how to fix it. */
export class StartupError extends Error {
  override name = 'StartupError';
}

/** The command that starts the program in the current folder, from the sources or from the packed file. */
export const program = import.meta.filename.endsWith('.ts')
  ? [process.execPath, join(import.meta.dirname, '../cli.ts')].map(shortPath).join(' ')
  : 'worktable-server';

/** A path that works in the working directory, relative if it is inside. */
function shortPath(path: string): string {
  const inside = relative(process.cwd(), path);
  return inside.startsWith('..') ? path : inside;
}
