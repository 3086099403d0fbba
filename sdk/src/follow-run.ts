import { StreamInterruptedError, WorktableError } from './errors.ts';
import { getRun, listMessages, runAgent } from './generated/operations.ts';
import type { EventNames } from './event-stream.ts';
import type { IdempotentOptions, RequestOptions, RunStreamOptions } from './options.ts';
import type { ReopenOptions } from './reopened-stream.ts';
import { followStream } from './shared-stream.ts';
import type { RequestParts } from './request.ts';
import type { Run, RunEvent, RunRequest, RunStreamQuery, SessionEvent } from './resources.ts';
import { attachIdempotencyKey, idempotencyKeyOf } from './retries.ts';
import type { Transport } from './transport.ts';

// Longer than a restart of the server or a deployment takes.
const outageMaxMs = 60_000;

interface FollowOptions extends Partial<ReopenOptions>, Pick<RunStreamOptions, 'lastEventId'> {
  /** Has no `session_id` if the caller has only the id of the run. */
  readonly run: { readonly id: string; readonly session_id?: string };
  /** Where the stream ends. */
  readonly until: NonNullable<RunStreamQuery['until']>;
}

/**
 * Yields the events of a run after `lastEventId`. A stream that breaks is opened again at the same position. While the
 * server is unreachable, attempts continue until the deadline; without a deadline, for a minute.
 */
export function followRun(
  transport: Transport,
  { run, until, lastEventId, ...options }: FollowOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  let position = lastEventId;
  let started: Run | undefined;
  return followStream<RunEvent>(
    transport,
    ['run', run.id, until, lastEventId],
    () => ({
      operation: getRun,
      names: { ...runEventNames, 'run.requires_action': until === 'requires_action' },
      parts: () =>
        ({
          path: { id: run.id },
          query: { until },
          headers: { 'Last-Event-ID': position },
        }) satisfies RequestParts<'getRun'>,
      complete: (event, limited) => completeEvent(transport, event, limited),
      accept(event) {
        if (event.event === 'message') position = event.id;
        if (event.event !== 'run.started') return true;
        const isFirst = started === undefined;
        started = event.data;
        return isFirst;
      },
      outageMaxMs,
      errorOf: (cause) => new StreamInterruptedError(started ?? run, cause),
    }),
    options,
  );
}

/** The event with the whole message or run. The event stays truncated if its run has continued since. */
export async function completeEvent<Event extends RunEvent | SessionEvent>(
  { send }: Transport,
  event: Event,
  options: RequestOptions,
): Promise<Event> {
  if (event.event === 'message') {
    const query = { offset: Number(event.id) - 1, limit: 1 };
    const { messages } = await send(listMessages, { path: { id: event.data.session_id }, query, options });
    return { ...event, data: messages[0] ?? event.data };
  }
  // The cast holds because no other event has data that is truncated.
  const { id, status } = event.data as Run;
  const data = await send(getRun, { path: { id }, options });
  return data.status === status ? { ...event, data } : event;
}

/** The names of the events. The value is true for events that end a stream. */
export const runEventNames: EventNames<RunEvent> = {
  'run.queued': false,
  'run.started': false,
  'run.waiting': false,
  'run.warning': false,
  message: false,
  'message.delta': false,
  'run.requires_action': true,
  'run.completed': true,
  'run.incomplete': true,
  'run.failed': true,
  'run.cancelled': true,
};

/**
 * The events of a new run, which starts when the iteration starts. Errors get the idempotency key: a new call with it
 * streams the same run.
 */
export function streamRun(
  transport: Transport,
  agentId: string,
  request: RunRequest,
  options: IdempotentOptions,
): AsyncIterable<RunEvent> {
  const body = copyOf(request);
  let isIterated = false;
  return {
    async *[Symbol.asyncIterator]() {
      if (isIterated) throw new WorktableError('A stream can be iterated once. Call stream again.');
      isIterated = true;
      const { deadlineMs = transport.options.deadlineMs } = options;
      const idempotencyKey = idempotencyKeyOf(options);
      const limited = { ...options, idempotencyKey, deadlineAtMs: Date.now() + deadlineMs };
      const starting = { ...limited, prefer: 'respond-async' } as const;
      const run = await transport.send(runAgent, { path: { id: agentId }, body, options: starting });
      try {
        yield* followRun(transport, { ...limited, run, until: 'requires_action' });
      } catch (error) {
        throw attachIdempotencyKey(error, idempotencyKey);
      }
    },
  };
}

/** A copy, so that later changes of the object have no effect. */
function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch {
    // Proxies and functions cannot be cloned, but JSON accepts proxies and leaves out functions.
    return value;
  }
}
