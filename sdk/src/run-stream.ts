import { idempotent } from './call.ts';
import { WorktableError } from './errors.ts';
import { followRun } from './follow-run.ts';
import { attachIdempotencyKey, idempotencyKeyOf } from './idempotency-key.ts';
import type { JsonBody } from './json-body.ts';
import type { IdempotentOptions } from './options.ts';
import { pathParams } from './parameters.ts';
import type { RunEvent, RunRequest } from './resources.ts';
import { resultOf } from './result.ts';
import type { Transport } from './transport.ts';

interface NewRun {
  readonly agentId: string;
  readonly body: JsonBody<RunRequest>;
  readonly options: IdempotentOptions;
}

/** The events of a new run, which starts when the iteration starts. */
export function streamRun(transport: Transport, { options, ...run }: NewRun): AsyncIterable<RunEvent> {
  let isIterated = false;
  return {
    [Symbol.asyncIterator]() {
      if (isIterated)
        throw new WorktableError('A stream can be iterated once. Call stream again to start a new run.');
      isIterated = true;
      return startAndFollow(transport, { ...run, options, idempotencyKey: idempotencyKeyOf(options) });
    },
  };
}

/** Adds the idempotency key to an error. A repeated call with this key streams the same run. */
async function* startAndFollow(
  transport: Transport,
  { agentId, body, options, idempotencyKey }: NewRun & { readonly idempotencyKey: string },
): AsyncGenerator<RunEvent, void, undefined> {
  const call = idempotent('runAgent', { ...options, idempotencyKey }, { Prefer: 'respond-async' });
  const starting = transport.open(call, (init) =>
    transport.api.POST('/v1/agents/{id}/run', { ...init, ...pathParams(agentId), ...body }),
  );
  const { limit } = await starting;
  limit.end();
  const run = await resultOf(starting);
  const progress = { until: 'requires_action', lastEventId: undefined, run: undefined } as const;
  const { deadlineAtMs } = limit;
  try {
    yield* followRun(transport, { ...progress }, { ...options, run, deadlineAtMs, hadBegun: true });
  } catch (error) {
    throw attachIdempotencyKey(error, idempotencyKey);
  }
}
