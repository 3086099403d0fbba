import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/**
 * Ends the process when its event loop has stood still for 60 beats, because a supervisor restarts only a process that
 * has ended. A thread counts the beats; it is suspended together with the process or the machine, so a suspension does
 * not count. While a debugger is attached, the loop may stand still.
 */
export function startWatchdog(beatMs = 1000): void {
  const state = new Int32Array(new SharedArrayBuffer(8));
  // The thread evaluates a text, because a thread that loads a TypeScript file needs 17 MB more.
  new Worker(`(${watch.toString()})()`, { eval: true, workerData: { state, beatMs } }).unref();
  setInterval(() => {
    Atomics.add(state, 0, 1);
    Atomics.store(state, 1, inspectorUrl() === undefined ? 0 : 1);
  }, beatMs).unref();
}

/** Runs in the thread, so it uses no variable of this file. */
function watch(): void {
  const { write } = process.getBuiltinModule('node:fs');
  const threads = process.getBuiltinModule('node:worker_threads');
  const { state, beatMs } = threads.workerData as { readonly state: Int32Array; readonly beatMs: number };
  let latest = 0;
  let missed = 0;
  setInterval(() => {
    const beats = Atomics.load(state, 0);
    missed = beats === latest && Atomics.load(state, 1) === 0 ? missed + 1 : 0;
    latest = beats;
    if (missed !== 60) return;
    const kill = (): boolean => process.kill(process.pid, 'SIGKILL');
    write(
      2,
      'This process has ended, because its event loop stood still for a minute. The last lines of the log may show the request that caused it.\n',
      kill,
    );
    // Standard error may be blocked.
    setTimeout(kill, beatMs);
  }, beatMs);
}
