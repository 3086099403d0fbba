import type { Schemas } from '../../operation.ts';
import { isStorableJson } from '../../storable-text.ts';

/** The context of a run, split into the keys that the server reads and the data for the runtime. */
export interface RunContext {
  readonly sessionId: string | undefined;
  readonly taskId: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

const bytesMax = 64 * 1024;

export function readContext(context: Schemas['RunContext'] = {}): RunContext {
  const { session_id: sessionId, task_id: taskId, ...data } = context;
  return { sessionId, taskId, data };
}

/** Checks what the schema of a context does not. Returns undefined if the context is valid. */
export function contextError(context: Schemas['RunContext'] = {}): Schemas['FieldError'] | undefined {
  if (new TextEncoder().encode(JSON.stringify(context)).length > bytesMax) {
    return { pointer: '/context', detail: `must not be larger than ${bytesMax} bytes as JSON` };
  }
  if (!isStorableJson(context)) {
    return { pointer: '/context', detail: 'must not contain NUL characters or lone surrogates' };
  }
  return undefined;
}
