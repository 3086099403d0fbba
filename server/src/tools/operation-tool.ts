import type { ContractOperation } from '../contract/schema.ts';
import type { AnyResponse, RequestParts } from '../contract/operation.ts';
import { argumentsOf, type Fields, type ToolArguments } from './arguments.ts';
import { countFitting, withShortTexts } from './result-size.ts';
import type { ToolClient, ToolEntry } from './tool-entry.ts';

/** A tool of the catalogue, with its operation. */
export interface OperationTool<Entry extends ToolEntry = ToolEntry> extends ToolArguments {
  readonly entry: Entry;
  readonly title: string | undefined;
  /**
   * Converts the arguments to a request, and its response to a result. If the entries of a page are too large for a
   * conversation, requests the page again with fewer entries.
   */
  readonly call: <Response extends AnyResponse>(
    values: Fields,
    send: (request: RequestParts) => Promise<Response>,
  ) => Promise<OperationResult<Response>>;
}

/** The fields for the model, or a picture as base64, and the response from which they come. */
type OperationResult<Response> = { readonly response: Response } & (
  { readonly fields: Fields } | { readonly picture: string }
);

export function operationTool<Entry extends ToolEntry>(
  entry: Entry,
  operation: ContractOperation,
  client: ToolClient,
): OperationTool<Entry> {
  const ofTool = argumentsOf(entry, operation, client);
  const { requestFrom } = ofTool;
  return {
    ...ofTool,
    entry,
    title: operation.summary,
    call: async (values, send) => {
      let response = await send(requestFrom(values));
      if (entry.picture !== undefined) {
        // The cast is safe, because the contract requires this field in the body.
        const { [entry.picture]: picture } = response.body as Record<typeof entry.picture, string>;
        return { response, picture };
      }
      let fields = withShortTexts(fieldsOf(entry, response, client));
      for (;;) {
        const limit = smallerLimit(entry, fields);
        if (limit === undefined) return { response, fields };
        response = await send(requestFrom({ ...values, limit }));
        const note = `Only ${limit} entries fit into one result. Those that follow are at next_cursor.`;
        fields = { ...withShortTexts(fieldsOf(entry, response, client)), note };
      }
    },
  };
}

/** How many entries fit into a result; undefined if all do. */
function smallerLimit({ list }: ToolEntry, fields: Fields): number | undefined {
  const entries = list === undefined ? undefined : fields[list];
  if (!Array.isArray(entries)) return undefined;
  const count = countFitting(entries);
  return count < entries.length ? count : undefined;
}

/**
 * The fields of a result: the fields of the body that are not null, and the cursor of the next page. Agents get a
 * summary of each entry in a list, and no etags.
 */
function fieldsOf(tool: ToolEntry, response: AnyResponse, client: ToolClient): Fields {
  const { list, summary, omits = [] } = tool;
  const { body, headers = {} } = response;
  const isBareList = Array.isArray(body) && list !== undefined;
  // A bare list becomes a field of an object. Every other body is an object already, so the cast is safe.
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
    // Unchanged, because the arguments of a tool call may be any JSON that a model has sent.
    if (name === 'arguments') kept[name] = each;
    else if ((each ?? null) !== null && !omits.includes(name)) kept[name] = withoutOmitted(each, omits);
  }
  return kept;
}
