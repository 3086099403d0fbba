import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './config.ts';

/** Lines of JSON, on standard output unless told otherwise. */
export function createLogger(level: LogLevel, destination: DestinationStream = standardOutput()): Logger {
  return pino({ level, serializers: { err: loggedError } }, destination);
}

/**
 * For a failure that would fill the log if each time were a line: one when it begins or its reason changes, and one when
 * it is over, which `undefined` says.
 */
export function logTransitions(
  logger: Logger,
  { failing, over }: { readonly failing: string; readonly over: string },
): (failure: Error | undefined) => void {
  let latest = '';
  return (failure) => {
    const reason = reasonsOf(failure);
    if (reason === latest) return;
    latest = reason;
    if (failure === undefined) logger.info(over);
    else logger.warn({ err: failure }, failing);
  };
}

function reasonsOf(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${reasonsOf(error.cause)}` : '';
}

/**
 * Written some lines at a time, as a write for each request would cost more than many requests do. What is held back is
 * written every half second and at the end of the process.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ sync: false, minLength: 16_000, periodicFlush: 500 });
}

/**
 * What the log keeps of an error, or of an object that is emitted in the place of one. Other properties stay out:
 * drivers and parsers attach values, statements and whole requests with their tokens.
 */
function loggedError(error: unknown): unknown {
  if (!hasMessage(error)) return String(error);
  return {
    ...(error instanceof Error ? { type: error.name } : {}),
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    ...('stack' in error ? { stack: error.stack } : {}),
    ...('cause' in error && error.cause !== undefined ? { cause: loggedError(error.cause) } : {}),
  };
}

function hasMessage(error: unknown): error is { readonly message: unknown } {
  return typeof error === 'object' && error !== null && 'message' in error;
}
