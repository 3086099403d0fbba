import type { Schemas } from '../contract/operation.ts';

/** The largest data of an event, as JSON. */
const bytesMax = 64 * 1024;

/** The change; if it is too large for an event, without its long texts. */
export function limitChange(change: Schemas['Change']): Schemas['Change'] {
  const { task = null } = change;
  const shortTask = task === null ? [] : [{ task: { ...task, description: null, metadata: null } }];
  return limitSize(change, [...shortTask, { payload: '{}' }]);
}

/** The message; if it is too large for an event, without its long parts. */
export function limitMessage(message: Schemas['Message']): Schemas['Message'] {
  return limitSize(message, [{ attachments: null }, { tool_calls: null }, { content: '' }]);
}

/**
 * The run; if it is too large for an event, without its long parts. All waiting calls are left out together, because
 * nobody should approve calls without having seen their arguments.
 */
export function limitRun(run: Schemas['Run']): Schemas['Run'] {
  return limitSize(run, [{ output: null }, { required_action: null }]);
}

/** Makes one replacement after the other until the data is small enough. */
function limitSize<Data extends object>(data: Data, replacements: readonly Partial<Data>[]): Data {
  const [replacement, ...others] = replacements;
  if (replacement === undefined || Buffer.byteLength(JSON.stringify(data)) <= bytesMax) return data;
  return limitSize({ ...data, ...replacement, truncated: true }, others);
}

/** Splits a text into pieces that are small enough for events. */
export function splitText(text: string): string[] {
  // JSON has at most six bytes for a character.
  return text.match(/.{1,8192}/gsu) ?? [];
}
