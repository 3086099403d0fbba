import { pino, type Logger } from 'pino';
import type { LogLevel } from './config.ts';

/**
 * Lines of JSON on standard output, written some at a time, as a write for each request would cost more than many
 * requests do. What is held back is written every half second and at the end of the process.
 */
export function createLogger(level: LogLevel): Logger {
  const destination = pino.destination({ sync: false, minLength: 4096, periodicFlush: 500 });
  return pino({ level, serializers: { err: loggedError } }, destination);
}

/**
 * What the log keeps of an error. Other properties stay out: drivers and parsers attach values, statements and whole
 * requests with their tokens.
 */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  return {
    type: error.name,
    message: error.message,
    ...('code' in error ? { code: error.code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}
