/** An error that stops the start and that the operator can fix; its message says how. */
export class StartupError extends Error {
  override name = 'StartupError';
}
