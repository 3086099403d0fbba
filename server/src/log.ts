import { pino, type Logger } from 'pino';
import type { LogLevel } from './config.ts';

/** Lines of JSON on standard output. */
export function createLogger(level: LogLevel): Logger {
  return pino({ level, serializers: { err: loggedError } });
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
