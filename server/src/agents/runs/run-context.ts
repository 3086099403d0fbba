import type { Schemas } from '../../operation.ts';

/** The context of a run, apart: what the server reads, and the data that is for the runtime. */
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

/** What is wrong with a context beyond what its schema says; undefined for nothing. */
export function refuseContext(context: Schemas['RunContext'] = {}): Schemas['FieldError'] | undefined {
  const text = JSON.stringify(context);
  if (new TextEncoder().encode(text).length > bytesMax) {
    return { pointer: '/context', detail: `must not be larger than ${bytesMax} bytes as JSON` };
  }
  if (!isStorable(text)) {
    return { pointer: '/context', detail: 'must not contain NUL characters or lone surrogates' };
  }
  return undefined;
}

/** JSON writes both kinds of characters as escapes; a backslash before an escape's is one of the text itself. */
function isStorable(json: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(json);
}
