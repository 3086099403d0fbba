/** A preload whose process never returns to its event loop after SIGUSR2. */
process.on('SIGUSR2', () => {
  for (;;);
});
