import { isEnding } from './breakage.ts';
import { chunksOf } from './chunks.ts';
import { ConnectionError, InvalidResponseError, StreamInterruptedError } from './errors.ts';
import { eventsOf } from './events.ts';
import type { JsonBody } from './json-body.ts';
import { keyedCall, type RequestOptions } from './options.ts';
import { at } from './parameters.ts';
import type { RunEvent, RunRequest } from './resources.ts';
import type { OpenAnswer, Transport } from './transport.ts';

export interface RunCall {
  readonly id: string;
  readonly body: JsonBody<RunRequest>;
  readonly options: RequestOptions & { readonly idempotencyKey: string };
}

/** The stream of a run that has begun to tell. */
interface OpenStream {
  readonly first: IteratorResult<RunEvent, void>;
  readonly events: AsyncGenerator<RunEvent, void, undefined>;
}

/** Asks for a run until its first event has come: a stream that breaks before is opened again under the same key. */
export async function openRun(
  { api, open }: Transport,
  { id, body, options }: RunCall,
): Promise<OpenAnswer<OpenStream>> {
  const call = keyedCall('runAgent', options, { Accept: 'text/event-stream, application/problem+json' });
  const run = { mayHaveBegun: false };
  try {
    return await open<OpenStream>(call, async (init, limit) => {
      const request = { ...init, ...at(id), ...body, parseAs: 'stream' } as const;
      const { data, error, response } = await api.POST('/v1/agents/{id}/run', request);
      if (!response.ok) return { error, response };
      const stream = streamOf(response, data);
      run.mayHaveBegun = true;
      const events = eventsOf(chunksOf(stream, limit));
      const first = await events.next();
      if (first.done === true) throw new ConnectionError('The stream ended before its first event.');
      return { data: { first, events }, response };
    });
  } catch (cause) {
    if (!run.mayHaveBegun || isEnding(cause) || cause instanceof InvalidResponseError) throw cause;
    throw new StreamInterruptedError({ run: undefined, cause });
  }
}

function streamOf(
  { headers }: Response,
  body: ReadableStream<Uint8Array> | null | undefined,
): ReadableStream<Uint8Array> {
  const isStream = /^text\/event-stream\b/i.test(headers.get('Content-Type') ?? '');
  if (isStream && body) return body;
  body?.cancel().catch(() => undefined);
  throw new InvalidResponseError('The answer is not a stream of events.');
}
