import { predicateOf, validationError, type InvalidField } from '../contract/problem.ts';
import { bodyLimits, findExcess } from '../lib/json-limits.ts';
import { childPointer } from '../lib/json-pointer.ts';
import type { FieldError, RequestParts } from '../contract/operation.ts';
import type { ContractOperation, Parameter, Schema } from '../contract/schema.ts';
import { portable, type PortableSchema } from './portable-schema.ts';
import type { ToolClient, ToolEntry } from './tool-entry.ts';

/** The arguments of a tool: the parameters and body fields of its operation. */
interface ToolArguments {
  readonly inputSchema: PortableSchema & { readonly type: 'object' };
  /** Makes the parts of a request from the arguments of a call. Throws a Problem for an unknown argument. */
  readonly requestFrom: (values: Values) => RequestParts;
}

type Values = Readonly<Record<string, unknown>>;

interface Argument {
  readonly schema: PortableSchema;
  readonly isRequired: boolean;
  readonly part: 'path' | 'query' | 'headers' | 'body';
  /** The name of the parameter or field in its part of the request. */
  readonly wireName: string;
}

/** The default number of entries in a list. It is lower than over HTTP, because entries fill the model's context. */
const limitDefault = 20;

// Headers that tools take, by the names of their arguments.
const headerNames: ReadonlyMap<string, string> = new Map([
  ['Idempotency-Key', 'idempotency_key'],
  ['If-Match', 'if_match'],
]);

/** Descriptions for tools, where the contract's descriptions speak of headers, which tools do not have. */
const descriptions: Readonly<Record<string, string>> = {
  limit: 'Page size.',
  cursor: 'The next_cursor of the previous page.',
  idempotency_key: 'Any text: a call that is repeated with it takes effect once.',
  if_match: 'Change the task only if its etag is still this one.',
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
  const { name: tool, list, headers, omits = [] } = entry;
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
      const defaults: Values = list === undefined ? {} : { limit: limitDefault };
      const request = { path: {}, query: {}, headers: { ...headers }, body: {} } satisfies InternalParts;
      for (const [name, argument] of byName) {
        const { part, wireName } = argument;
        const value = intendedValue(values[name], argument) ?? defaults[name];
        if (value !== undefined && argument !== clear)
          Object.assign(request[part], { [wireName]: name === 'if_match' ? entityTag(value) : value });
      }
      Object.assign(request.body, Object.fromEntries(cleared.map((name) => [name, null])));
      return request;
    },
  };
}

/** The argument that an error of the request is about, or the place in it; empty for the arguments as a whole. */
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
 * send them for every argument that they do not set. A list may be JSON text, and a filter one of its values.
 */
function intendedValue(value: unknown, { schema, isRequired, part, wireName }: Argument): unknown {
  if ((value === null || value === '') && !isRequired) return undefined;
  if (schema.type !== 'array' || typeof value !== 'string') return value;
  const asList = part === 'query' ? [value] : value;
  if (!value.trimStart().startsWith('[')) return asList;
  const reason = findExcess(Buffer.from(value), bodyLimits);
  if (reason !== undefined)
    throw validationError([{ pointer: childPointer('', wireName), code: 'too_large', detail: reason }]);
  try {
    return JSON.parse(value);
  } catch {
    return asList;
  }
}

type InternalParts = Record<Argument['part'], object>;

function parameters({ parameters: all = [] }: ContractOperation, client: ToolClient): [string, Argument][] {
  return all.flatMap((parameter): [string, Argument][] => {
    const { name, in: location } = parameter;
    // Calls of agents take effect once without a key, and agents do not receive the etags for if_match.
    if (location === 'header' && client === 'agent') return [];
    const argument = location === 'header' ? headerNames.get(name) : name;
    if (argument === undefined) return [];
    const schema = describe(argument, parameter);
    if (location === 'path') return [[name, { schema, isRequired: true, part: 'path', wireName: name }]];
    // Tools continue a list by cursor, because deletions shift offsets.
    if (location === 'query' && name !== 'offset')
      return [[name, { schema, isRequired: false, part: 'query', wireName: name }]];
    if (location !== 'header') return [];
    return [[argument, { schema, isRequired: false, part: 'headers', wireName: name.toLowerCase() }]];
  });
}

function describe(argument: string, parameter: Parameter): PortableSchema {
  const { schema, description: documented } = parameter;
  const description =
    descriptions[argument] ?? (parameter.in === 'path' ? documented?.split('. ', 1)[0] : documented);
  return {
    ...portable({ ...schema, ...(description && { description }) }),
    ...(argument === 'limit' ? { default: limitDefault } : {}),
  };
}

function bodyFields(
  { requestBody }: ContractOperation,
  { isBrief = false, likeTool = {} }: ToolEntry,
): [string, Argument][] {
  const schema: Schema = requestBody?.content['application/json'].schema ?? { type: 'object' };
  const { properties = {}, required = [] } = portable(schema, { isBrief });
  return Object.entries(properties).map(([name, each]) => {
    const other = likeTool[name];
    const own = { type: 'object', description: `An object with the arguments of ${other ?? ''}.` };
    const schema = other === undefined ? each : own;
    return [name, { schema, isRequired: required.includes(name), part: 'body', wireName: name }];
  });
}

/** Adds the quotes of an entity tag (RFC 9110, section 8.8.3), which models tend to drop. */
function entityTag(value: unknown): unknown {
  return typeof value === 'string' && /^[\w-]+$/.test(value) ? `"${value}"` : value;
}

/** The contract ignores unknown fields of a body. A model that misspells a field must learn that it had no effect. */
function unknownArguments(unknown: readonly string[], tool: string, known: readonly string[]): Error {
  const detail = `is not an argument of ${tool}, which has ${known.join(', ')}`;
  return validationError(
    unknown.map((name) => ({ pointer: childPointer('', name), code: 'unknown', detail }) as const),
  );
}
