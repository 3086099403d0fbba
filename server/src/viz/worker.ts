/** The program of a render process. It renders jobs for the server that forked it, and exits with that server. */
import { setPriority } from 'node:os';
import { loadFonts } from '@worktable/charts';
import { render, type Job } from './render.ts';

// Rendering gets a low priority, because the other requests of the server are short.
setPriority(10);
loadFonts();
process.on('message', (job: Job) => {
  send(render(job));
});
process.on('disconnect', () => {
  process.exit();
});
// Control-C sends a signal to every process of the terminal, but the server decides when its render processes exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
send('ready');

/** Ignores the error if the server has exited. */
function send(message: unknown): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
