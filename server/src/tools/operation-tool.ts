import { validationError } from '../contract/problem.ts';
import type { ContractOperation } from '../contract/schema.ts';
import type { AnyResponse, RequestParts } from '../contract/operation.ts';
import { argumentsOf, type Fields, type ToolArguments } from './arguments.ts';
import { fits, withShortTexts } from './result-size.ts';
import type { ToolClient, ToolEntry } from './tool-entry.ts';

/** A tool of the catalogue, with its operation. */
export interface OperationTool<Entry extends ToolEntry = ToolEntry> extends ToolArguments {
  readonly entry: Entry;
  readonly title: string | undefined;
  /**
   * Sends a request made from the arguments, and converts the response to a result. Throws a Problem for a page that
   * does not fit into one result.
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
      const response = await send(requestFrom(values));
      if (entry.picture !== undefined) {
        // The cast is safe, because the contract requires this field in the body.
        const { [entry.picture]: picture } = response.body as Record<typeof entry.picture, string>;
        return { response, picture };
      }
      const fields = withShortTexts(fieldsOf(entry, response, client));
      assertFits(entry, fields);
      return { response, fields };
    },
  };
}

/** Throws for a page whose entries do not fit into one result, even with short texts. */
function assertFits({ list }: ToolEntry, fields: Fields): void {
  const entries = list === undefined ? undefined : fields[list];
  if (!Array.isArray(entries) || entries.length < 2 || fits(JSON.stringify(fields))) return;
  const detail = 'must be smaller, because the entries of this page have more than 64 KiB';
  throw validationError([{ pointer: '/query/limit', code: 'too_large', detail }]);
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
function withoutOmitted(body: unknown, omits: readonly string[]): unknown {
  const json = JSON.stringify(body, (name, value: unknown) =>
    value === null || omits.includes(name) ? undefined : value,
  );
  return JSON.parse(json);
}
