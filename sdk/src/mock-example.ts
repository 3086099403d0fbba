/** The content of this package's mock.json. */
export interface MockDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A request for an operation of the contract. */
export interface MockRequest {
  /** The path and method of the operation, as in the document. */
  readonly path: string;
  readonly method: string;
  /** The value of a header or query parameter; empty if it is absent. */
  readonly headerOf: (name: string) => string;
  readonly queryOf: (name: string) => string;
}

/** The response of the mock. */
export interface MockExample {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for a response without a body. */
  readonly mediaType: string | undefined;
  /** JSON, the text of an SVG or event stream, or another picture as base64. */
  readonly value: unknown;
}

type Responses = Readonly<Record<string, unknown>>;

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Finds the operation's example that `Prefer` and `Accept` select. */
export function findExample(document: MockDocument, request: MockRequest): MockExample {
  // Always defined: `path` and `method` are from this document, in which each operation has responses.
  const { responses } = document.paths[request.path]?.[request.method] as { readonly responses: Responses };
  const { status, name, headers } = selectionOf(responses, request);
  // mock.json has 422 as the default, because Prism would answer invalid requests with 422.
  const response = resolve(document, responses[status] ?? responses['default']) as Response;
  const mediaType = acceptedType(response, request.headerOf('Accept'));
  return {
    status,
    headers: { ...headersOf(document, response), ...headers },
    mediaType,
    value: mediaType && valueOf(response, mediaType, name),
  };
}

/** The status and the name of the example that a request selects, and the headers that say so. */
export function selectionOf(
  responses: Responses,
  { path, headerOf, queryOf }: Omit<MockRequest, 'method'>,
): Pick<MockExample, 'status' | 'headers'> & { readonly name: string } {
  const prefer = headerOf('Prefer');
  const [, code = ''] = /\bcode="?(\d{3})\b/.exec(prefer) ?? [];
  const [, example = ''] = /\bexample="?([\w-]+)/.exec(prefer) ?? [];
  const acceptsStream = headerOf('Accept').includes('text/event-stream');
  const isAsync = '202' in responses && /\brespond-async\b/.test(prefer) && !acceptsStream;
  const isSelected = code in responses || (code === '422' && 'default' in responses);
  const [success = ''] = Object.keys(responses);
  const status = isSelected ? code : isAsync ? '202' : success;
  // Every cursor leads to the last page.
  const name = queryOf('cursor') === '' ? example : '';
  const headers = {
    ...(isAsync && status === '202' ? { 'Preference-Applied': 'respond-async' } : {}),
    ...(name === 'many' ? { Link: `<${path}?cursor=next>; rel="next"` } : {}),
  };
  return { status: Number(status), name, headers };
}

/**
 * The first media type in `Accept` that the response has, or else its first. A picture without JSON ignores `Accept`.
 */
function acceptedType({ content = {} }: Response, accept: string): string | undefined {
  if ('image/png' in content && !('application/json' in content)) return Object.keys(content)[0];
  const accepted = accept.split(',').map((range) => range.replace(/;.*/, '').trim().toLowerCase());
  return accepted.find((type) => Object.hasOwn(content, type)) ?? Object.keys(content)[0];
}

/**
 * The example with this name, or the first example. A picture is the first field of the JSON example, as markup or
 * base64, because mock.json cannot contain bytes.
 */
function valueOf({ content = {} }: Response, mediaType: string, name: string): unknown {
  const isPicture = mediaType.startsWith('image/') || mediaType === 'application/pdf';
  const { example, examples = {} } =
    (isPicture ? content['application/json'] : undefined) ?? content[mediaType] ?? {};
  const named = Object.hasOwn(examples, name) ? examples[name] : Object.values(examples)[0];
  const value = example ?? named?.value;
  return isPicture && typeof value !== 'string' ? Object.values(value as object)[0] : value;
}

function headersOf(document: MockDocument, { headers = {} }: Response): Record<string, string> {
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

/**
 * The events of an example; with `Last-Event-ID`, only its first event and the events after that id. After them, three
 * streams stay open: changes, a session, and a run that requires action if `until` is `finished`.
 */
export function streamOf(text: string, request: StreamRequest): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const all = text.split('\n\n').filter((event) => event !== '');
  const lastEventId = request.headerOf('Last-Event-ID');
  const last = all.findIndex((event) => event.split('\n').includes(`id: ${lastEventId}`));
  const events = all.filter((_event, i) => i === 0 || i > last);
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start(controller) {
      const send = (event: string): void => {
        controller.enqueue(encoder.encode(`${event}\n\n`));
      };
      for (const event of events) send(event);
      if (!staysOpen(events, request)) controller.close();
      else heartbeat = setInterval(send, heartbeatMs, ':');
    },
    cancel: () => {
      clearInterval(heartbeat);
    },
  });
}

type StreamRequest = Omit<MockRequest, 'method'>;

// The server's interval, so that a client does not consider the stream lost.
const heartbeatMs = 15_000;

function staysOpen(events: readonly string[], { path, queryOf }: StreamRequest): boolean {
  const waits = events.at(-1)?.startsWith('event: run.requires_action') === true;
  return (
    ['/api/changes', '/v1/sessions/{id}/messages'].includes(path) ||
    (waits && queryOf('until') === 'finished')
  );
}
