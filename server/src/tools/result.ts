import type { ToolClient, ToolEntry } from './tool-entry.ts';

/** The response of an operation to a call. */
export interface OperationResponse {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a result: the fields of the body that are not null, and the cursor of the next page. Agents get a
 * summary of each entry in a list, and no etags.
 */
export function fieldsOf(tool: ToolEntry, response: OperationResponse, client: ToolClient): Fields {
  const { list, summary, omits = [] } = tool;
  const { body, headers = {} } = response;
  const isBareList = Array.isArray(body) && list !== undefined;
  // A bare list becomes a field of an object. Any other body with fields is an object already.
  const fields = withoutOmitted(
    isBareList ? { [list]: body } : body,
    client === 'agent' ? [...omits, 'etag'] : omits,
  ) as Fields;
  const next = /<([^>]*)>; rel="next"/.exec(headers['Link'] ?? '')?.[1];
  const cursor = next === undefined ? null : new URL(next, 'http://localhost').searchParams.get('cursor');
  return {
    ...fields,
    ...(client === 'agent' && list && summary ? { [list]: summaryOf(fields[list], summary) } : {}),
    ...(cursor === null ? {} : { next_cursor: cursor }),
  };
}

function summaryOf(entries: unknown, names: readonly string[]): unknown {
  if (!Array.isArray(entries)) return entries;
  return entries.map((entry: object) =>
    Object.fromEntries(Object.entries(entry).filter(([name]) => names.includes(name))),
  );
}

/** Removes the fields that the tool omits, and null, which an MCP client may reject. */
function withoutOmitted(value: unknown, omits: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutOmitted(each, omits));
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    // Unchanged, because the arguments of a tool call are any JSON that a model has sent.
    if (name === 'arguments') kept[name] = each;
    else if ((each ?? null) !== null && !omits.includes(name)) kept[name] = withoutOmitted(each, omits);
  }
  return kept;
}
