import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/**
 * Ends the process when its event loop has stood still for 60 beats, because a supervisor restarts only a process that
 * has ended. A thread counts the beats; it is suspended together with the process or the machine, so a suspension does
 * not count. A process that was started for a debugger may stand still.
 */
export function startWatchdog(beatMs = 1000): void {
  if (inspectorUrl() !== undefined) return;
  const beats = new Int32Array(new SharedArrayBuffer(4));
  // The thread evaluates a text, because a thread that loads a TypeScript file needs 17 MB more.
  new Worker(`(${watch.toString()})()`, { eval: true, workerData: { beats, beatMs } }).unref();
  setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
}

/** Runs in the thread, so it uses no variable of this file. */
function watch(): void {
  const { write } = process.getBuiltinModule('node:fs');
  const threads = process.getBuiltinModule('node:worker_threads');
  const { beats, beatMs } = threads.workerData as { readonly beats: Int32Array; readonly beatMs: number };
  let latest = 0;
  let missed = 0;
  setInterval(() => {
    const count = Atomics.load(beats, 0);
    missed = count === latest ? missed + 1 : 0;
    latest = count;
    if (missed === 60)
      write(2, 'This process has ended, because its event loop stood still for a minute.\n', () => undefined);
    // A beat later, because standard error may be blocked.
    if (missed > 60) process.kill(process.pid, 'SIGKILL');
  }, beatMs);
}
