/** An error that prevents the start. Its message says how to fix it. */
export class StartupError extends Error {
  override name = 'StartupError';
}
