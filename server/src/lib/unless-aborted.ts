import { addAbortListener } from 'node:events';

/** Resolves or rejects like `work`, or rejects with the signal's reason as soon as the signal aborts. */
export async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise: aborted, resolve: abort } = Promise.withResolvers<unknown>();
  using _listener = addAbortListener(signal, abort);
  const rejection = aborted.then(() => {
    throw signal.reason;
  });
  return await Promise.race([work, rejection]);
}
