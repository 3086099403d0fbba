/**
 * Loaded into a server process before anything else: tells its parent, when asked, how much memory is in use after a
 * collection. Needs `--expose-gc`.
 */
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// The server ends when it has nothing more to do, whether its parent may still ask or not.
process.channel?.unref();
