/** An error that prevents the start. Its message tells the operator how to fix it. */
export class StartupError extends Error {
  override name = 'StartupError';
}
