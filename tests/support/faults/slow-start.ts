/** Preloaded into render processes: they are ready two seconds later. */
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
