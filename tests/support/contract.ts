import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import type { OperationId } from '../../server/src/operation.ts';
import { record } from './recorder.ts';

interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: object;
}

interface DocumentedBody {
  readonly content?: Record<string, { schema: object; example?: unknown }>;
}

interface DocumentedResponse extends DocumentedBody {
  readonly headers?: Record<string, DocumentedHeader>;
  readonly links?: Record<
    string,
    { readonly operationId: string; readonly parameters: { readonly id: string } }
  >;
}

interface DocumentedOperation {
  readonly operationId: OperationId;
  readonly method: string;
  readonly path: string;
  /** The parameters of the path come first. */
  readonly parameters?: readonly object[];
  readonly requestBody?: DocumentedBody;
  readonly responses: Record<string, DocumentedResponse>;
}

/** Headers that the contract does not list: those of HTTP itself, and those for browsers. */
const unlistedHeaders = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  // The contract mentions these once, because every response has them.
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
]);

// Objects are closed here and open for callers, because an undocumented field in a response is our mistake.
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  keywords: ['x-message', 'x-event', 'example'],
});
addFormats.default(ajv);
const validators = new Map<string, ValidateFunction>();

const resolved = resolveReferences(document) as typeof document;
const operations = new Map<string, DocumentedOperation>(
  Object.entries(resolved.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ['get', 'put', 'post', 'delete'].includes(method))
      .map(([method, operation]) => {
        // The references of the bundle are resolved, so operations have exactly the documented parts.
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

/** Throws if a response has a status, media type, header or body that the contract does not document. */
export function checkResponse(
  id: OperationId,
  answer: { status: number; headers: Headers; body: unknown },
): void {
  const complaint = complaintAbout(operationOf(id), answer);
  if (complaint !== undefined) throw new Error(`${id} ${answer.status} breaks the contract: ${complaint}`);
  record(id, answer.status);
}

function complaintAbout(
  operation: DocumentedOperation,
  { status, headers, body }: { status: number; headers: Headers; body: unknown },
): string | undefined {
  const response = operation.responses[status];
  if (response === undefined) return `the status is not documented (${JSON.stringify(body)})`;
  return (
    complaintAboutHeaders(response, headers) ??
    complaintAboutBody(`${operation.operationId} ${status}`, response, headers, body)
  );
}

/** What lies before a deployed server may add headers. */
const isBehindProxies = process.env['CONFORMANCE_URL'] !== undefined;

function complaintAboutHeaders(
  { headers: documented = {} }: DocumentedResponse,
  headers: Headers,
): string | undefined {
  const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
  const undocumented = [...headers.keys()].filter((name) => !names.has(name) && !unlistedHeaders.has(name));
  if (undocumented.length > 0 && !isBehindProxies) return `undocumented headers ${undocumented.join(', ')}`;
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
  if (response.content === undefined) return body === '' ? undefined : 'no body is documented';
  const content = response.content[mediaType];
  if (content === undefined) return `the media type "${mediaType}" is not documented`;
  const validate = validator(`${name} ${mediaType}`, content.schema);
  return validate(body) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'body' });
}

function validator(name: string, schema: object): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const compiled = ajv.compile(closed(schema) as object);
  validators.set(name, compiled);
  return compiled;
}

/** A copy in which every reference is replaced by what it refers to. */
export function resolveReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolveReferences);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') return resolveReferences(target(value.$ref));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolveReferences(each)]));
}

/** A copy in which objects have only the properties that are listed. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]));
  const isClosable = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isClosable ? { ...copy, additionalProperties: false } : copy;
}

function target(reference: string): unknown {
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
}
