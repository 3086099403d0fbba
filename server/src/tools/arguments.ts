import { predicateOf, validationError, type InvalidField } from '../contract/problem.ts';
import { bodyLimits, findExcess } from '../lib/json-limits.ts';
import { childPointer } from '../lib/json.ts';
import type { FieldError, RequestParts } from '../contract/operation.ts';
import type { ContractOperation, Schema } from '../contract/schema.ts';
import { portable, type PortableSchema } from './portable-schema.ts';
import type { ToolClient, ToolEntry } from './tool-entry.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The arguments of a tool: the parameters and body fields of its operation. */
export interface ToolArguments {
  readonly inputSchema: PortableSchema & { readonly type: 'object' };
  /** Converts a call's arguments to the parts of a request. Throws a Problem for an unknown argument. */
  readonly requestFrom: (values: Fields) => RequestParts;
}

interface Argument {
  readonly schema: PortableSchema;
  readonly isRequired: boolean;
  readonly part: 'path' | 'query' | 'headers' | 'body';
  /** The name of the parameter or field in its part of the request. */
  readonly wireName: string;
}

/** Replaces parts of the contract's schemas that speak of HTTP. Headers without an entry here are not arguments. */
const replacements: Readonly<Record<string, Pick<Schema, 'description' | 'default'>>> = {
  // Fewer entries than over HTTP, because they fill the model's context.
  limit: { description: 'Page size.', default: 20 },
  cursor: { description: 'The next_cursor of the previous page.' },
  idempotency_key: { description: 'Any text: a call that is repeated with it takes effect once.' },
  if_match: { description: 'Change the task only if its etag is still this one.' },
};

/** The argument that empties fields. */
const clear: Argument = {
  schema: { type: 'array', items: { type: 'string' }, description: 'The names of fields to empty.' },
  ...{ isRequired: false, part: 'body', wireName: 'clear' },
};

export function argumentsOf(
  entry: ToolEntry,
  operation: ContractOperation,
  client: ToolClient,
): ToolArguments {
  const { name: tool, headers, omits = [] } = entry;
  const taken = parameters(operation, client).filter(([name]) => !omits.includes(name));
  const fields = bodyFields(operation, entry);
  const mayClear = entry.effect === 'changes' && fields.length > 0;
  const byName = new Map([...taken, ...fields, ...(mayClear ? [['clear', clear] as const] : [])]);
  const required = [...byName].filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries([...byName].map(([name, { schema }]) => [name, schema])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    requestFrom: (values) => {
      const cleared = mayClear ? [intendedValue(values['clear'], clear) ?? []].flat().map(String) : [];
      const unknown = [...Object.keys(values), ...cleared].filter((name) => !byName.has(name));
      if (unknown.length > 0) throw unknownArguments(unknown, tool, [...byName.keys()]);
      const request = { path: {}, query: {}, headers: { ...headers }, body: {} };
      for (const [name, argument] of byName) {
        const { part, wireName } = argument;
        const value = intendedValue(values[name], argument) ?? argument.schema.default;
        if (value !== undefined && argument !== clear)
          Object.assign(request[part], { [wireName]: name === 'if_match' ? entityTag(value) : value });
      }
      Object.assign(request.body, Object.fromEntries(cleared.map((name) => [name, null])));
      return request;
    },
  };
}

/** The argument, or the place in an argument, that an error is about; empty for the arguments as a whole. */
export function argumentOf({ pointer }: FieldError): string {
  return pointer.replace(/^\/(?:(?:query|path|headers?)\/)?/, '');
}

/** Rewords an error of the request as an error of the arguments. */
export function argumentError(error: FieldError): InvalidField {
  const name = argumentOf(error);
  const detail = predicateOf(error).replace(/\.$/, '');
  return { pointer: name === '' ? '' : `/${name}`, code: error.code, detail };
}

/**
 * The value that a model means. Null and an empty text count as absent for an optional argument, because some programs
 * send them for every argument that they do not set. Numbers, lists and other JSON may be written as text; a list in a
 * filter may be a single value.
 */
function intendedValue(value: unknown, { schema, isRequired, part, wireName }: Argument): unknown {
  if ((value ?? '') === '' && !isRequired) return undefined;
  if (schema.type === 'string' || typeof value !== 'string') return value;
  const isList = schema.type === 'array';
  const written = isList && part === 'query' ? [value] : value;
  if (isList && !value.trimStart().startsWith('[')) return written;
  const reason = findExcess(Buffer.from(value), bodyLimits);
  if (reason !== undefined)
    throw validationError([{ pointer: childPointer('', wireName), code: 'too_large', detail: reason }]);
  try {
    return JSON.parse(value);
  } catch {
    return written;
  }
}

const partOf = { path: 'path', query: 'query', header: 'headers' } as const;

function parameters({ parameters: all = [] }: ContractOperation, client: ToolClient): [string, Argument][] {
  return all.flatMap(({ name: wireName, in: location, schema, description }) => {
    const part = partOf[location];
    const name = wireName.toLowerCase().replaceAll('-', '_');
    // Tools continue a list by cursor, because deletions shift offsets.
    if (name === 'offset') return [];
    // Calls of agents take effect only once even without a key, and agents do not receive the etags for if_match.
    if (part === 'headers' && (client === 'agent' || !(name in replacements))) return [];
    const documented = portable({ ...schema, ...(description && { description }) });
    const argument = {
      schema: { ...documented, ...replacements[name] },
      isRequired: part === 'path',
      ...{ part, wireName: part === 'headers' ? wireName.toLowerCase() : wireName },
    };
    return [[name, argument]];
  });
}

function bodyFields({ requestBody }: ContractOperation, { schemas }: ToolEntry): [string, Argument][] {
  const body: Schema = requestBody?.content['application/json'].schema ?? { type: 'object' };
  const { properties = {}, required = [] } = portable(body);
  return Object.entries(properties).map(([name, documented]) => {
    const schema = schemas?.[name] ?? documented;
    return [name, { schema, isRequired: required.includes(name), part: 'body', wireName: name }];
  });
}

/** Adds the quotes of an entity tag (RFC 9110, section 8.8.3), which models tend to drop. */
function entityTag(value: unknown): unknown {
  return typeof value === 'string' && /^[\w-]+$/.test(value) ? `"${value}"` : value;
}

/** Unlike the contract, tools refuse unknown fields: a model must learn that a misspelled field has no effect. */
function unknownArguments(unknown: readonly string[], tool: string, known: readonly string[]): Error {
  const detail = `is not an argument of ${tool}, which has ${known.join(', ')}`;
  return validationError(
    unknown.map((name) => ({ pointer: childPointer('', name), code: 'unknown', detail }) as const),
  );
}
