/** The program of a render process: it renders jobs for the server that forked it and exits when the server does. */
import { setPriority } from 'node:os';
import { paint, warmUp, type Job } from './render.ts';

// Rendering yields the CPU to the server, whose other requests are short.
setPriority(10);
warmUp();
process.on('message', (job: Job) => {
  send(paint(job));
});
process.on('disconnect', () => {
  process.exit();
});
// Control-C signals every process of the terminal. The server decides when its render processes exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
send('ready');

/** Ignores the error when the server has exited. */
function send(message: unknown): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
