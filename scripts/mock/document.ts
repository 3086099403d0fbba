import { namedExamples, type NamedExample } from './examples.ts';
import { drawPicture, type Picture } from './pictures.ts';
import { namedProblems } from './problems.ts';

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string; readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId?: string;
  readonly responses?: Readonly<Record<string, Response>>;
}

/** The parts of the bundled contract that the mock changes. */
export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  };
}

/** The contract as Prism serves it best: with named examples and real pictures. */
export function mockDocument(contract: Contract): Contract {
  const picture = drawPicture();
  const examples = namedExamples(picture);
  const { paths, components } = contract;
  const responses = mapValues(components.responses, (response, name) =>
    withProblems(withoutOptionalHeaders(response, contract), name),
  );
  return {
    ...contract,
    components: { ...components, responses },
    paths: mapValues(paths, (item) =>
      mapValues(item, (operation) => ({
        ...operation,
        ...(operation.responses && {
          responses: validationFirst(
            mapValues(operation.responses, (response, status) =>
              withPicture(
                withExamples(
                  withoutOptionalHeaders(response, contract),
                  examples.filter(
                    (each) => each.operation === operation.operationId && String(each.status) === status,
                  ),
                ),
                picture,
              ),
            ),
          ),
        }),
      })),
    ),
  };
}

/** Prism prefers 422 to 400 for an invalid request. As the default it is still what `Prefer: code=422` selects. */
function validationFirst(responses: Readonly<Record<string, Response>>): Readonly<Record<string, Response>> {
  const { 422: keyReused, ...others } = responses;
  return keyReused === undefined ? responses : { ...others, default: keyReused };
}

/** Prism sends every documented header, so every created task would have `Idempotency-Replayed`. */
function withoutOptionalHeaders(response: Response, { components }: Contract): Response {
  const { headers } = response;
  if (headers === undefined) return response;
  const always = Object.entries(headers).filter(([, header]) => {
    const { required } = components.headers[header.$ref?.replace(/^.*\//, '') ?? ''] ?? header;
    return required === true;
  });
  return { ...response, headers: Object.fromEntries(always) };
}

function withProblems(response: Response, name: string): Response {
  return withNamed(response, 'application/problem+json', namedProblems(name));
}

function withExamples(response: Response, examples: readonly NamedExample[]): Response {
  const mediaTypes = ['application/json', 'text/event-stream'];
  return mediaTypes.reduce(
    (changed, mediaType) =>
      withNamed(
        changed,
        mediaType,
        examples.filter((each) => (each.mediaType ?? 'application/json') === mediaType),
      ),
    response,
  );
}

/** Adds named examples; the example of the contract stays the default. */
function withNamed(
  response: Response,
  mediaType: string,
  examples: readonly { readonly name: string; readonly value: unknown }[],
): Response {
  const content = response.content?.[mediaType];
  if (content === undefined || examples.length === 0) return response;
  const { example, ...rest } = content;
  const named = Object.fromEntries(examples.map(({ name, value }) => [name, { value }]));
  return {
    ...response,
    content: {
      ...response.content,
      [mediaType]: { ...rest, examples: { default: { value: example }, ...named } },
    },
  };
}

/** JSON has no bytes: each character of the examples of PNG and PDF stands for one. */
function withPicture(response: Response, { svg, png, pdf }: Picture): Response {
  const { content } = response;
  if (content === undefined) return response;
  const examples: Readonly<Record<string, [json: string, value: string, itself: string]>> = {
    'image/svg+xml': ['svg', svg, svg],
    'image/png': ['png_base64', png.toString('base64'), png.toString('latin1')],
    'application/pdf': ['pdf_base64', pdf.toString('base64'), pdf.toString('latin1')],
  };
  const mediaType = Object.keys(content).find((type) => type in examples);
  const [name, value, itself] = examples[mediaType ?? ''] ?? [];
  if (mediaType === undefined || name === undefined) return response;
  return {
    ...response,
    content: {
      ...content,
      'application/json': { ...content['application/json'], example: { [name]: value } },
      [mediaType]: { ...content[mediaType], example: itself },
    },
  };
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
