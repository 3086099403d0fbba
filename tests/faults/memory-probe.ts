/**
 * A preload for a server process: answers each message of its parent with the memory usage after a garbage collection.
 * Needs `--expose-gc`.
 */
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// The open channel must not keep the server process alive.
process.channel?.unref();
