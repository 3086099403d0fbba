/** The program as an operator starts it: from the sources, or as the packed one. */
export const program = import.meta.filename.endsWith('.ts') ? 'node server/src/cli.ts' : 'worktable-server';
