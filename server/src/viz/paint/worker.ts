/** The program of a painter process: it takes jobs from the server that started it and ends with it. */
import { setPriority } from 'node:os';
import { paint, warmUp, type Job } from './painter.ts';

// Painting gives way to the server, whose other requests are small.
setPriority(10);
warmUp();
process.on('message', (job: Job) => {
  tell(paint(job));
});
process.on('disconnect', () => {
  process.exit();
});
// Control-C reaches every process of the terminal. The server decides when its painters have finished.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
tell('ready');

/** A server that has gone in the meantime needs no answer. */
function tell(message: unknown): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
