import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  entriesThatFit,
  errorLengthMax,
  fits,
  truncateText,
  truncateTexts,
} from '../../agents/skills/tool-content.ts';
import { predicateOf, type Problem } from '../../errors.ts';
import type { FieldError } from '../../operation.ts';
import type { ContractOperation } from '../../contract/schema.ts';
import type { HttpResponse } from '../response/http-response.ts';
import { portable, type PortableSchema } from './portable-schema.ts';
import type { ToolEntry } from './tools.ts';

type Fields = Readonly<Record<string, unknown>>;

const text: PortableSchema = { type: 'string' };

/** The schema of what `fieldsOf` returns; undefined for a picture, which has no fields. */
export function outputSchemaOf(tool: ToolEntry, operation: ContractOperation): PortableSchema | undefined {
  if (tool.picture !== undefined) return undefined;
  const success = Object.values(operation.responses).find(({ content }) => content !== undefined);
  if (success?.content === undefined)
    throw new Error(`${tool.operation} has no body that a tool could return.`);
  const options = { of: 'result', ...(tool.omits && { omits: tool.omits }) } as const;
  const body = portable(success.content['application/json'].schema, options);
  const fields = body.type === 'array' && tool.list !== undefined ? { [tool.list]: body } : body.properties;
  const required = body.type === 'array' && tool.list !== undefined ? [tool.list] : (body.required ?? []);
  return {
    type: 'object',
    properties: {
      ...fields,
      ...(success.headers?.['ETag'] === undefined ? {} : { etag: text }),
      ...(tool.list === undefined ? {} : { next_cursor: text, note: text }),
    },
    required,
  };
}

/** The fields of a result: those of the body that are not null, the version, and the cursor of the next page. */
export function fieldsOf({ list, omits = [] }: ToolEntry, { body, headers = {} }: HttpResponse): Fields {
  const fields = withoutOmitted(Array.isArray(body) && list !== undefined ? { [list]: body } : body, omits);
  const next = /<([^>]*)>; rel="next"/.exec(headers['Link'] ?? '')?.[1];
  const cursor = next === undefined ? null : new URL(next, 'http://localhost').searchParams.get('cursor');
  return {
    // The body of an operation with fields is an object, and an array was wrapped above.
    ...(fields as Fields),
    ...(headers['ETag'] === undefined ? {} : { etag: headers['ETag'] }),
    ...(cursor === null ? {} : { next_cursor: cursor }),
  };
}

/** The fields with texts that are truncated as far as the size of a result requires. */
export function withinSize(fields: Fields): Fields {
  return fits(JSON.stringify(fields)) ? fields : (JSON.parse(truncateTexts(fields)) as Fields);
}

/** How many entries of a list fit into a result, at least one; undefined if all do. */
export function fittingEntries({ list }: ToolEntry, fields: Fields): number | undefined {
  const entries = list === undefined ? undefined : fields[list];
  if (!Array.isArray(entries)) return undefined;
  const count = Math.max(1, entriesThatFit(entries).length);
  return count < entries.length ? count : undefined;
}

/** The result in both forms in which clients read it. */
export function toolResult(fields: Fields): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(fields) }], structuredContent: fields };
}

/** A picture with a line about it. */
export function pictureResult(base64: unknown, { headers = {} }: HttpResponse): CallToolResult {
  const missing = headers['Chart-Missing-Glyphs'];
  const sentence =
    missing === undefined
      ? 'The chart, as a PNG picture.'
      : `The chart, as a PNG picture. No font of the server has these characters, which are drawn as boxes: ${missing}.`;
  return {
    content: [
      { type: 'image', data: String(base64), mimeType: 'image/png' },
      { type: 'text', text: sentence },
    ],
  };
}

/** A failed call: what is wrong, and what to do, for the model. */
export function errorResult({ message, errors = [], retryAfterS }: Problem): CallToolResult {
  const lines = errors.length === 0 ? [message] : errors.map(sentenceOn);
  if (retryAfterS !== undefined) lines.push(`Retry-After: ${retryAfterS} s`);
  return { content: [{ type: 'text', text: truncateText(lines.join('\n'), errorLengthMax) }], isError: true };
}

function sentenceOn(error: FieldError): string {
  const name = error.pointer.replace(/^\/(?:query|path|header|headers)?\/?/, '').replaceAll('-', '_');
  return `${name === '' ? 'The arguments' : `The argument "${name}"`} ${predicateOf(error)}`;
}

/** Removes null, which an MCP client may reject, and the fields that the tool omits. */
function withoutOmitted(value: unknown, omits: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutOmitted(each, omits));
  if (typeof value !== 'object' || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    // The arguments of a tool call are any JSON that a model has sent, and stay as they are.
    if (name === 'arguments') kept[name] = each;
    else if (each !== null && !omits.includes(name)) kept[name] = withoutOmitted(each, omits);
  }
  return kept;
}
