import { setTimeout } from 'node:timers/promises';

/** Returns the output of a server so far. */
export type Output = () => string;

interface LoggedError {
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

// Servers flush their log every half second.
const waitMs = 2_000;
const pollMs = 50;

/** The error of a failed request and its causes, from the server's log; undefined if the log has none. */
export async function loggedCause(output: Output, requestId: string): Promise<string | undefined> {
  for (let waitedMs = 0; waitedMs <= waitMs; waitedMs += pollMs) {
    const error = loggedError(output(), requestId);
    if (error !== undefined) return quoted(chainOf(error));
    await setTimeout(pollMs);
  }
  return undefined;
}

function loggedError(output: string, requestId: string): LoggedError | undefined {
  const line = output.split('\n').find((each) => each.includes(`"request_id":"${requestId}"`));
  return line === undefined ? undefined : (JSON.parse(line) as { readonly err?: LoggedError }).err;
}

function chainOf({ message, stack = message, cause }: LoggedError): string {
  return cause === undefined ? stack : `${stack}\ncaused by ${chainOf(cause)}`;
}

/** Marks each line, because Vitest would take the server's stack for the test's own and print it again. */
function quoted(text: string): string {
  return text.replaceAll('\n', '\n| ');
}
