import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../server/src/contract/operation.ts';
import { namesOf } from '../../server/src/lib/json.ts';
import { ajv } from './contract-ajv.ts';

interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: object;
}

interface DocumentedBody {
  readonly content?: Record<string, DocumentedContent>;
}

interface DocumentedContent {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Record<string, { readonly value: unknown }>;
}

/** The example of a body, or all its named examples. The usual one comes first. */
export function examplesOf({ example, examples = {} }: DocumentedContent): unknown[] {
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

interface DocumentedResponse extends DocumentedBody {
  readonly headers?: Record<string, DocumentedHeader>;
}

interface DocumentedOperation {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  /** Parameters of the path come first. */
  readonly parameters?: readonly object[];
  readonly requestBody?: DocumentedBody;
  readonly responses: Record<string, DocumentedResponse>;
}

/** Headers that the contract does not list for each response: general HTTP headers, and headers for browsers. */
const unlistedHeaders = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  // Every response has these headers, so only the introduction of the contract mentions them.
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

const validators = new Map<string, ValidateFunction>();

const resolved = resolveReferences(document) as typeof document;
const operations = new Map<string, DocumentedOperation>(
  Object.entries(resolved.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'put', 'post', 'delete'].includes(method))
      .map(([method, operation]) => {
        // This cast is safe: references in the bundle are resolved, so an operation has all documented parts.
        const documented = operation as unknown as Omit<DocumentedOperation, 'method' | 'path'>;
        const ofPath: readonly object[] = 'parameters' in item ? item.parameters : [];
        const parameters = [...ofPath, ...(documented.parameters ?? [])];
        const place = { path, method: method.toUpperCase() };
        return [documented.operationId, { ...documented, ...place, parameters }] as const;
      }),
  ),
);

export const allOperations: readonly DocumentedOperation[] = [...operations.values()];

export function operationOf(id: OperationId): DocumentedOperation {
  const operation = operations.get(id);
  if (operation === undefined) throw new Error(`The contract has no operation ${id}.`);
  return operation;
}

/** Example bodies that do not match the schemas of their media types. */
export function brokenExamples({ requestBody, responses }: DocumentedOperation): string[] {
  const contentOf = (each: DocumentedBody | undefined): DocumentedContent[] =>
    Object.values(each?.content ?? {});
  const broken = (content: DocumentedContent, schema: object): unknown[] =>
    examplesOf(content).filter((example) => !ajv.validate(schema, example));
  return [
    ...contentOf(requestBody).flatMap((content) => broken(content, content.schema)),
    ...Object.values(responses)
      .flatMap(contentOf)
      .flatMap((content) => broken(content, closed(content.schema) as object)),
  ].map(shortened);
}

/** Describes the first breach of the contract by a response: by its status, headers, media type or body. */
export function findBreach(
  id: OperationId,
  { status, headers, body }: { status: number; headers: Headers; body: unknown },
): string | undefined {
  const response = operationOf(id).responses[status];
  if (response === undefined) return `the status is not documented (${JSON.stringify(body)})`;
  return (
    complaintAboutHeaders(response, headers) ?? complaintAboutBody(`${id} ${status}`, response, headers, body)
  );
}

/** True if the tests run against a deployed server, where a proxy may add headers. */
const isBehindProxies = process.env['CONFORMANCE_URL'] !== undefined;

function complaintAboutHeaders(
  { headers: documented = {} }: DocumentedResponse,
  headers: Headers,
): string | undefined {
  const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
  const undocumented = [...headers].filter(([name]) => !names.has(name) && !unlistedHeaders.has(name));
  if (undocumented.length > 0 && !isBehindProxies)
    return `undocumented headers ${undocumented.map(([name, value]) => `${name}: "${value}"`).join(', ')}`;
  for (const [name, { required, schema }] of Object.entries(documented)) {
    const value = headers.get(name);
    if (value === null && required === true) return `the header ${name} is missing`;
    const typed = (schema as { type?: string }).type === 'integer' ? Number(value) : value;
    if (value !== null && !validator(`header ${JSON.stringify(schema)}`, schema)(typed))
      return `the header ${name} is "${value}"`;
  }
  return undefined;
}

function complaintAboutBody(
  name: string,
  response: DocumentedResponse,
  headers: Headers,
  body: unknown,
): string | undefined {
  const [mediaType = ''] = (headers.get('Content-Type') ?? '').split(';');
  if (response.content === undefined)
    return body === '' ? undefined : `no body is documented, but it is ${shortened(body)}`;
  const content = response.content[mediaType];
  if (content === undefined) return `the media type "${mediaType}" is not documented (${shortened(body)})`;
  const validate = validator(`${name} ${mediaType}`, content.schema);
  return validate(body) ? undefined : validate.errors?.map(sentenceOf).join(', ');
}

function sentenceOf({ instancePath, message = 'is not valid', params, data }: ErrorObject): string {
  // An error of `additionalProperties` has the place of the object, and the name of the undocumented property.
  const name: unknown = params['additionalProperty'];
  if (typeof name !== 'string') return `body${instancePath} ${message}, but is ${shortened(data)}`;
  return `body${instancePath}/${name} is not documented, but is ${shortened(Reflect.get(Object(data), name))}`;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function validator(name: string, schema: object): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const compiled = ajv.compile(closed(schema) as object);
  validators.set(name, compiled);
  return compiled;
}

/** A copy in which references are replaced by what they refer to. */
export function resolveReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolveReferences);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') return resolveReferences(target(value.$ref));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolveReferences(each)]));
}

/** A copy of a schema that forbids unlisted properties: sending them is our mistake, although clients accept them. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]));
  const isClosable = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isClosable ? { ...copy, additionalProperties: false } : copy;
}

function target(reference: string): unknown {
  const names = namesOf(reference);
  return names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document);
}
