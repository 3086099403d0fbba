import { channel } from 'node:diagnostics_channel';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from './config/config.ts';

/** Receives a message for each line that is dropped. */
export const droppedLines = channel('worktable:dropped-line');

/** A logger that writes lines of JSON, by default to standard output. */
export function createLogger(level: LogLevel, destination: DestinationStream = standardOutput()): Logger {
  return pino({ level, serializers: { err: loggedError } }, destination);
}

/**
 * Logs a repeated failure without a line for each time: one line when it begins or its reason changes, and one line when
 * a call with `undefined` reports that it has ended.
 */
export function logTransitions(
  logger: Logger,
  messages: { readonly failed: string; readonly recovered: string },
): (failure: unknown) => void {
  let latest = '';
  return (failure) => {
    const reason = failure === undefined ? '' : reasonsOf(failure);
    if (reason === latest) return;
    latest = reason;
    if (failure === undefined) logger.info(messages.recovered);
    else logger.warn({ reason }, messages.failed);
  };
}

/** Logs the many errors of an outage in two lines: one for the first, and one when none has followed for ten seconds. */
export function logOutage(
  logger: Logger,
  { failed, recovered }: { readonly failed: string; readonly recovered: string },
): (error: unknown) => void {
  let quietTimer: NodeJS.Timeout | undefined;
  return (error) => {
    if (quietTimer === undefined) logger.warn({ reason: reasonsOf(error) }, failed);
    clearTimeout(quietTimer);
    quietTimer = setTimeout(() => {
      quietTimer = undefined;
      logger.info(recovered);
    }, quietMs).unref();
  };
}

// Longer than the time between two polls, with the default timeouts of the database: each failed poll reports an error.
const quietMs = 10_000;

/** The messages of an error and its causes in one line. */
export function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A connection that fails at every address of a host is an AggregateError, which has a code and no message.
  const reason = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return error.cause === undefined ? reason : `${reason}: ${reasonsOf(error.cause)}`;
}

// How much is buffered while standard output accepts no lines. Further lines are dropped.
const bufferedBytesMax = 64 * 1024 * 1024;
const lastFlushMs = 1_000;

/**
 * Buffers lines, because a write for each request would cost more than many requests themselves. The buffer is flushed
 * every half second and at the end of the process. Neither a full disk nor a reader that stops reading ends the process:
 * the lines stay in the buffer, and the next line or flush tries again.
 */
function standardOutput(): DestinationStream {
  let giveUpMs = Infinity;
  let hasFailed = false;
  const destination = pino.destination({
    sync: false,
    minLength: 16_000,
    maxLength: bufferedBytesMax,
    periodicFlush: 500,
    retryEAGAIN: () => performance.now() < giveUpMs,
  });
  destination.on('error', () => (hasFailed = true));
  destination.on('write', () => (hasFailed = false));
  // Writes to `process.stdout` itself fail in the same ways, and an unhandled error would end the process.
  process.stdout.off('error', ignore).on('error', ignore);
  reportDroppedLines(destination);
  const flushSync = destination.flushSync.bind(destination);
  // Called at the end of the process, which it must not delay: it retries a failing write forever.
  destination.flushSync = () => {
    if (hasFailed) return;
    giveUpMs = performance.now() + lastFlushMs;
    try {
      flushSync();
    } catch {
      // This write fails if the reader has stopped reading.
    }
  };
  return destination;
}

function ignore(): void {
  // An error without a listener would end the process.
}

/** Logs how many lines were dropped, once the buffer is empty again. */
function reportDroppedLines(destination: ReturnType<typeof pino.destination>): void {
  let dropped = 0;
  destination.on('drop', () => {
    dropped += 1;
    droppedLines.publish({});
  });
  destination.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    createLogger('warn', destination).warn({ lines }, 'log lines were dropped: standard output was blocked');
  });
}

/**
 * The logged properties of an error, or of an object that is emitted as an error. Other properties are left out:
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
