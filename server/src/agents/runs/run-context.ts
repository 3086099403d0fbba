import type { InvalidField } from '../../errors.ts';
import type { Schemas } from '../../operation.ts';

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

/** Errors of a context that the schema of the request cannot express, such as its size. */
export function runErrors({ context = {} }: Pick<Schemas['RunRequest'], 'context'>): InvalidField[] {
  if (Buffer.byteLength(JSON.stringify(context)) <= bytesMax) return [];
  return [
    { pointer: '/context', code: 'too_large', detail: `must not be larger than ${bytesMax} bytes as JSON` },
  ];
}
