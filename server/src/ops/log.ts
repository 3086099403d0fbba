import { channel } from 'node:diagnostics_channel';
import { pino, type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config.ts';

/** Receives a message for each line that is dropped. */
export const droppedLines = channel('worktable:dropped-line');

/** A logger that writes lines of JSON, to standard output unless `destination` is set. */
export function createLogger(
  level: Config['logLevel'],
  destination: DestinationStream = standardOutput(),
): Logger {
  return pino({ level, serializers: { err: loggedError } }, destination);
}

/**
 * Logs a repeated failure in few lines: one when it begins, one when its sentence changes, and one when a call with
 * `undefined` ends it. Causes are not compared, because they may change with each attempt.
 */
export function logTransitions(
  logger: Logger,
  messages: { readonly failed: string; readonly recovered: string },
): (failure: unknown) => void {
  let latest: unknown;
  return (failure) => {
    const sentence = failure instanceof Error ? failure.message : failure;
    if (sentence === latest) return;
    latest = sentence;
    if (failure === undefined) logger.info(messages.recovered);
    else logger.warn({ reason: reasonsOf(failure) }, messages.failed);
  };
}

/** Logs the errors of an outage in two lines: the first error, and the end, which is ten seconds without an error. */
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

// Longer than the time between two failed polls with the default timeouts of the database, so that an outage does not
// seem to end between two polls.
const quietMs = 10_000;

/** The messages of an error and of its causes, in one line. */
export function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // If a connection fails at every address of a host, the error is an AggregateError, with a code but no message.
  const reason = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return error.cause === undefined ? reason : `${reason}: ${reasonsOf(error.cause)}`;
}

// While standard output accepts no lines, at most this much is buffered. Further lines are dropped.
const bufferedBytesMax = 64 * 1024 * 1024;
const lastFlushMs = 1_000;

/**
 * Buffers lines, because a write for each line would take longer than many of the requests. The buffer is flushed every
 * half second and at the end of the process. Neither a full disk nor a reader that stops reading ends the process: the
 * lines stay in the buffer until a later attempt.
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
  // Writes to `process.stdout` can fail in the same ways. Without a listener, an error would end the process.
  process.stdout.on('error', () => undefined);
  destination.on('drop', () => {
    droppedLines.publish({});
  });
  const flushSync = destination.flushSync.bind(destination);
  // Called at the end of the process. The original would delay the end, because it retries a failing write forever.
  destination.flushSync = () => {
    if (hasFailed) return;
    giveUpMs = performance.now() + lastFlushMs;
    try {
      flushSync();
    } catch {
      // Fails if the reader has stopped reading.
    }
  };
  return destination;
}

/**
 * The properties of an error that are logged. Others are left out, because drivers and parsers attach values,
 * statements and whole requests with their tokens.
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
