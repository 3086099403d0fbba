import type { ContractOperation } from '../contract/schema.ts';
import type { RequestParts } from '../contract/operation.ts';
import { argumentsOf } from './arguments.ts';
import type { PortableSchema } from './portable-schema.ts';
import { fieldsOf, type Fields, type OperationResponse } from './result.ts';
import { countFitting, withShortTexts } from './result-size.ts';
import type { ToolClient, ToolEntry } from './tool-entry.ts';

/** A tool of the catalogue, with its operation. */
export interface OperationTool<Entry extends ToolEntry = ToolEntry> {
  readonly entry: Entry;
  readonly inputSchema: PortableSchema & { readonly type: 'object' };
  /** The request that a call makes. Throws a Problem for an unknown argument. */
  readonly requestFrom: (values: Fields) => RequestParts;
  /**
   * Makes a request of the arguments, and a result of its response. If the entries of a page are too large for a
   * conversation, requests the page again with fewer entries.
   */
  readonly call: <Response extends OperationResponse>(
    values: Fields,
    send: (request: RequestParts) => Promise<Response>,
  ) => Promise<OperationResult<Response>>;
}

/** The fields for the model or a picture as base64, with the response that they come from. */
type OperationResult<Response> = { readonly response: Response } & (
  { readonly fields: Fields } | { readonly picture: string }
);

export function operationTool<Entry extends ToolEntry>(
  entry: Entry,
  operation: ContractOperation,
  client: ToolClient,
): OperationTool<Entry> {
  const { inputSchema, requestFrom } = argumentsOf(entry, operation, client);
  return {
    entry,
    inputSchema,
    requestFrom,
    call: async (values, send) => {
      let response = await send(requestFrom(values));
      if (entry.picture !== undefined) {
        // The contract requires this field in the body.
        const { [entry.picture]: picture } = response.body as Record<typeof entry.picture, string>;
        return { response, picture };
      }
      let fields = withShortTexts(fieldsOf(entry, response, client));
      let note = {};
      for (
        let limit = smallerLimit(entry, fields);
        limit !== undefined;
        limit = smallerLimit(entry, fields)
      ) {
        response = await send(requestFrom({ ...values, limit }));
        fields = withShortTexts(fieldsOf(entry, response, client));
        note = { note: `Only ${limit} entries fit into one result. Those that follow are at next_cursor.` };
      }
      return { response, fields: { ...fields, ...note } };
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
