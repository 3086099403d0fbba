import { readChunks } from './chunks.ts';
import { ConnectionError, InvalidResponseError, StreamInterruptedError } from './errors.ts';
import { eventStreamBody, parseEventStream } from './event-stream.ts';
import type { JsonBody } from './json-body.ts';
import { idempotent } from './call.ts';
import type { RequestOptions } from './options.ts';
import { pathParams } from './parameters.ts';
import type { RunEvent, RunRequest } from './resources.ts';
import { runEventNames } from './stopped-run.ts';
import { isAbortOrDeadline } from './stream-errors.ts';
import type { OpenResponse, Transport } from './transport.ts';

export interface RunCall {
  readonly id: string;
  readonly body: JsonBody<RunRequest>;
  readonly options: RequestOptions & { readonly idempotencyKey: string };
}

type RunEvents = AsyncGenerator<RunEvent, void, undefined>;

/** Opens a stream and waits for its first event. A stream that breaks before it is reopened with the same key. */
export async function openRunStream(
  { api, open }: Transport,
  { id, body, options }: RunCall,
): Promise<OpenResponse<RunEvents>> {
  const call = idempotent('runAgent', options, { Accept: 'text/event-stream, application/problem+json' });
  const run = { mayHaveStarted: false };
  try {
    return await open<RunEvents>(call, async (init, limit) => {
      const request = { ...init, ...pathParams(id), ...body, parseAs: 'stream' } as const;
      const { data, error, response } = await api.POST('/v1/agents/{id}/run', request);
      if (!response.ok) return { error, response };
      const stream = eventStreamBody(response, data);
      run.mayHaveStarted = true;
      const events = parseEventStream<RunEvent>(readChunks(stream, limit), runEventNames);
      const first = await events.next();
      if (first.done === true) throw new ConnectionError('The stream ended before its first event.');
      return { data: startWith(first.value, events), response };
    });
  } catch (cause) {
    if (!run.mayHaveStarted || isAbortOrDeadline(cause) || cause instanceof InvalidResponseError) throw cause;
    throw new StreamInterruptedError({ run: undefined, cause });
  }
}

async function* startWith(first: RunEvent, events: RunEvents): RunEvents {
  try {
    yield first;
    yield* events;
  } finally {
    await events.return();
  }
}
