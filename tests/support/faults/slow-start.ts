/** A preload that delays the start of render processes by two seconds. */
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
