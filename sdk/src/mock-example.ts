import { streamOf, type StreamPosition } from './mock-stream.ts';

/** The content of this package's mock.json. */
export interface MockDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation of the document. */
export interface MockOperation {
  readonly path: string;
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Documented {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Answers a request with the example of the operation that `Prefer` and `Accept` select. */
export function exampleOf(
  document: MockDocument,
  operation: MockOperation,
  { headers, method, url }: Request,
): Response {
  const { path, responses } = operation;
  const { searchParams } = new URL(url);
  const accept = headers.get('Accept') ?? '';
  const hasToken = /^Bearer +\S/i.test(headers.get('Authorization') ?? '');
  const prefer = hasToken ? (headers.get('Prefer') ?? '') : 'code=401';
  const { status, name, ...selected } = selectionOf(operation, prefer, accept, searchParams.get('cursor'));
  // mock.json has 422 as the default, because Prism would answer invalid requests with 422.
  const response = resolve(document, responses[status] ?? responses['default']) as Documented;
  const mediaType = acceptedType(response, accept);
  const value = mediaType && valueOf(response, mediaType, name);
  const position = { path, lastEventId: headers.get('Last-Event-ID'), until: searchParams.get('until') };
  const isEmpty = mediaType === undefined || method === 'HEAD';
  return new Response(isEmpty ? null : bodyOf(value, mediaType, position), {
    status,
    headers: {
      ...headersOf(document, response),
      ...selected.headers,
      ...(mediaType && { 'Content-Type': mediaType }),
    },
  });
}

/** The status and the name of the example that a request selects, and the response headers that depend on them. */
export function selectionOf(
  { path, responses }: MockOperation,
  prefer: string,
  accept: string,
  cursor: unknown,
): { readonly status: number; readonly name: string; readonly headers: Readonly<Record<string, string>> } {
  const [, code = ''] = /\bcode="?(\d{3})\b/.exec(prefer) ?? [];
  const [, example = ''] = /\bexample="?([\w-]+)/.exec(prefer) ?? [];
  const acceptsStream = accept.includes('text/event-stream');
  const isAsync = '202' in responses && /\brespond-async\b/.test(prefer) && !acceptsStream;
  const isSelected = code in responses || (code === '422' && 'default' in responses);
  const [success = ''] = Object.keys(responses);
  const status = isSelected ? code : isAsync ? '202' : success;
  // Every cursor leads to the last page.
  const name = cursor === null ? example : '';
  const headers = {
    ...(isAsync && status === '202' ? { 'Preference-Applied': 'respond-async' } : {}),
    ...(name === 'many' ? { Link: `<${path}?cursor=next>; rel="next"` } : {}),
  };
  return { status: Number(status), name, headers };
}

/**
 * The first media type in `Accept` that the response has, or else its first. A picture without JSON ignores `Accept`.
 */
function acceptedType({ content = {} }: Documented, accept: string): string | undefined {
  if ('image/png' in content && !('application/json' in content)) return Object.keys(content)[0];
  const accepted = accept.split(',').map((range) => range.replace(/;.*/, '').trim().toLowerCase());
  return accepted.find((type) => Object.hasOwn(content, type)) ?? Object.keys(content)[0];
}

/**
 * The example with this name, or the first example. A picture is the first field of the JSON example, as markup or
 * base64, because mock.json cannot contain bytes.
 */
function valueOf({ content = {} }: Documented, mediaType: string, name: string): unknown {
  const isPicture = mediaType.startsWith('image/') || mediaType === 'application/pdf';
  const { example, examples = {} } =
    (isPicture ? content['application/json'] : undefined) ?? content[mediaType] ?? {};
  const named = Object.hasOwn(examples, name) ? examples[name] : Object.values(examples)[0];
  const value = example ?? named?.value;
  return isPicture && typeof value !== 'string' ? Object.values(value as object)[0] : value;
}

function headersOf(document: MockDocument, { headers = {} }: Documented): Record<string, string> {
  const values = Object.entries(headers).map(([name, value]) => {
    const { example } = resolve(document, value) as MediaType;
    return [name, String(example)] as const;
  });
  return Object.fromEntries(values);
}

/** The component that a `$ref` names, which the document always has. Any other value is returned unchanged. */
function resolve({ components }: MockDocument, value: unknown): unknown {
  const { $ref } = value as { readonly $ref?: string };
  const [, , kind = '', name = ''] = $ref?.split('/') ?? [];
  return $ref === undefined ? value : components[kind]?.[name];
}

type BodyOfResponse = ConstructorParameters<typeof Response>[0];

function bodyOf(value: unknown, mediaType: string, position: StreamPosition): BodyOfResponse {
  if (typeof value !== 'string' || mediaType.endsWith('json')) return JSON.stringify(value);
  if (mediaType === 'text/event-stream') return streamOf(value, position);
  if (mediaType === 'image/svg+xml') return value;
  return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
}
