import { StreamInterruptedError, WorktableError } from './errors.ts';
import { openEventStream } from './event-stream.ts';
import { getRun, listMessages, runAgent } from './generated/operations.ts';
import type { IdempotentOptions, RequestOptions } from './options.ts';
import { reopenStream } from './reopened-stream.ts';
import type { Run, RunEvent, RunRequest, RunStreamQuery } from './resources.ts';
import { attachIdempotencyKey, idempotencyKeyOf } from './retries.ts';
import type { Transport } from './transport.ts';

// Longer than a restart of the server or a deployment takes.
const outageMaxMs = 60_000;

/** Where the stream of a run ends, and what the caller has received. */
export interface RunProgress {
  readonly until: NonNullable<RunStreamQuery['until']>;
  lastEventId: string | undefined;
  /** The run at its start; undefined until the caller has received it. */
  run: Run | undefined;
}

interface FollowOptions extends RequestOptions {
  /** Has no `session_id` if the caller has only the id of the run. */
  readonly run: { readonly id: string; readonly session_id?: string };
  /** Infinity without a deadline. */
  readonly deadlineAtMs: number;
  /** True if the caller has started the run. An error then interrupts the stream. */
  readonly hasBegun: boolean;
}

/**
 * Yields the events of a run that the caller has not received. A stream that breaks is opened again at the same
 * position. While the server is unreachable, attempts continue until the deadline; without a deadline, for a minute.
 */
export function followRun(
  transport: Transport,
  progress: RunProgress,
  { run, ...options }: FollowOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const { until } = progress;
  const path = { id: run.id };
  return reopenStream<RunEvent>(
    transport,
    {
      operation: 'getRun',
      open: (limited) => {
        const headers = { 'Last-Event-ID': progress.lastEventId };
        return openEventStream(
          transport,
          getRun,
          { path, query: { until }, headers, options: limited },
          runEventNames,
        );
      },
      async receive(received, limited) {
        const event = await readWholeRunEvent(transport, received, limited);
        const isRepeated = event.event === 'run.started' && progress.run !== undefined;
        if (event.event === 'run.started') progress.run = event.data;
        if (event.event === 'message') progress.lastEventId = event.id;
        return isRepeated ? undefined : event;
      },
      isLast: ({ event }) =>
        runEventNames[event] && !(event === 'run.requires_action' && until === 'finished'),
      outageMaxMs,
      errorOf: (cause) => new StreamInterruptedError({ run: progress.run ?? run, cause }),
    },
    options,
  );
}

type MessageEvent = Extract<RunEvent, { event: 'message' }>;

/** The event with the whole message. */
export async function readWholeMessage(
  { send }: Pick<Transport, 'send'>,
  event: MessageEvent,
  options: RequestOptions,
): Promise<MessageEvent> {
  if (event.data.truncated !== true) return event;
  const query = { offset: Number(event.id) - 1, limit: 1 };
  const { messages } = await send(listMessages, { path: { id: event.data.session_id }, query, options });
  return { ...event, data: messages[0] ?? event.data };
}

/** The event with the whole message or run. The event stays truncated if its run has continued since. */
async function readWholeRunEvent(
  { send }: Transport,
  event: RunEvent,
  options: RequestOptions,
): Promise<RunEvent> {
  switch (event.event) {
    case 'message':
      return readWholeMessage({ send }, event, options);
    case 'run.requires_action':
    case 'run.completed':
    case 'run.incomplete': {
      const { id, status, truncated } = event.data;
      if (truncated !== true) return event;
      const data = await send(getRun, { path: { id }, options });
      return data.status === status ? { ...event, data } : event;
    }
    default:
      return event;
  }
}

/** Returns true if a run has ended or requires action. */
export function hasStopped({ status }: Run): boolean {
  return status !== 'queued' && status !== 'running';
}

/** The names of the events. The value is true for events that end a stream. */
export const runEventNames: Readonly<Record<RunEvent['event'], boolean>> = {
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

/** The events of a new run, which starts when the iteration starts. */
export function streamRun(
  transport: Transport,
  agentId: string,
  request: RunRequest,
  options: IdempotentOptions,
): AsyncIterable<RunEvent> {
  const body = copyOf(request);
  let isIterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (isIterated)
        throw new WorktableError('A stream can be iterated once. Call stream again to start a new run.');
      isIterated = true;
      return startAndFollow(transport, agentId, body, options);
    },
  };
}

/** A copy, so that later changes of the object have no effect. */
function copyOf<Value>(value: Value): Value {
  try {
    return structuredClone(value);
  } catch {
    // The call reports what cannot be sent.
    return value;
  }
}

/** Adds the idempotency key to an error. A repeated call with this key streams the same run. */
async function* startAndFollow(
  transport: Transport,
  agentId: string,
  body: RunRequest,
  options: IdempotentOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const { deadlineMs = transport.options.deadlineMs } = options;
  const deadlineAtMs = Date.now() + deadlineMs;
  const idempotencyKey = idempotencyKeyOf(options);
  const starting = { ...options, idempotencyKey };
  const headers = { Prefer: 'respond-async' };
  const run = await transport.send(runAgent, { path: { id: agentId }, body, headers, options: starting });
  const progress = { until: 'requires_action', lastEventId: undefined, run: undefined } as const;
  try {
    yield* followRun(transport, { ...progress }, { ...options, run, deadlineAtMs, hasBegun: true });
  } catch (error) {
    throw attachIdempotencyKey(error, idempotencyKey);
  }
}
