import type { Schemas } from '../../server/src/contract/operation.ts';
import { problemsOf } from './problems.ts';

interface Header {
  readonly $ref?: string;
  readonly required?: boolean;
}

interface MediaType {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, MediaType>>;
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
    readonly headers: Readonly<Record<string, Header>>;
  };
}

/** A chart in three formats: SVG as markup, the others as base64. */
export interface Picture {
  readonly svg: string;
  readonly png: string;
  readonly pdf: string;
}

/**
 * The contract as Prism needs it, with the problems of each operation, and with a chart instead of the example
 * pictures.
 */
export function mockDocument(contract: Contract, picture?: Picture): Contract {
  const { paths, components, ...others } = picture === undefined ? contract : withPicture(contract, picture);
  return {
    ...others,
    components: {
      ...components,
      responses: mapValues(components.responses, (response) => withoutOptionalHeaders(response, components)),
    },
    paths: mapValues(paths, (item) =>
      mapValues(item, (operation) =>
        operation.responses === undefined
          ? operation
          : { ...operation, responses: validationFirst(responsesOf(operation, components)) },
      ),
    ),
  };
}

function responsesOf(
  { operationId = '', responses = {} }: Operation,
  components: Contract['components'],
): Record<string, Response> {
  return mapValues(responses, (reference, status) => {
    const response = components.responses[reference.$ref?.replace(/^.*\//, '') ?? ''] ?? reference;
    const { example } = response.content?.[problemType] ?? {};
    if (example === undefined) return withoutOptionalHeaders(response, components);
    // The cast holds because tests/unit/openapi/document.test.ts validates the examples of each body.
    const others = problemsOf(operationId, status, (example as Schemas['Problem']).code);
    if (Object.keys(others).length === 0) return reference;
    const examples = { default: { value: example }, ...others };
    return { ...withoutOptionalHeaders(response, components), content: { [problemType]: { examples } } };
  });
}

const problemType = 'application/problem+json';

/**
 * Prism prefers 422 to 400 for an invalid request. So 422 becomes the default response, which `Prefer: code=422` still
 * selects.
 */
function validationFirst(responses: Readonly<Record<string, Response>>): Readonly<Record<string, Response>> {
  const { 422: keyReused, ...others } = responses;
  return keyReused === undefined ? responses : { ...others, default: keyReused };
}

/**
 * Prism sends every documented header, so optional ones such as `Idempotency-Replayed` are removed. `ETag` gets the
 * value of the example's task.
 */
function withoutOptionalHeaders(response: Response, components: Contract['components']): Response {
  const { headers = {}, content = {} } = response;
  const { example, examples = {} } = content['application/json'] ?? {};
  const [, etag] = /"etag":"\\"([^\\]+)/.exec(JSON.stringify(example ?? examples['default'] ?? '')) ?? [];
  const required = Object.entries(headers).flatMap(([name, reference]) => {
    const header = components.headers[reference.$ref?.replace(/^.*\//, '') ?? ''] ?? reference;
    if (header.required !== true) return [];
    return [[name, name === 'ETag' && etag ? { ...header, example: `"${etag}"` } : reference] as const];
  });
  return { ...response, headers: Object.fromEntries(required) };
}

/** Replaces the pictures in the contract's examples, which are the smallest possible. */
function withPicture(contract: Contract, { svg, png, pdf }: Picture): Contract {
  const smallest = /^<svg [^>]*><\/svg>$/;
  return JSON.parse(JSON.stringify(contract), (_name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (smallest.test(value)) return svg;
    return value.replaceAll(/\biVBORw0KGgo[\w+/=]+/g, png).replaceAll(/^JVBERi0[\w+/=]+/g, pdf);
  }) as Contract;
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
