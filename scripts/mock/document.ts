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

/** The contract as Prism needs it, with the problems of each operation. */
export function mockDocument({ paths, components, ...others }: Contract): Contract {
  const responses = mapValues(components.responses, (response) => withRequiredHeaders(response, components));
  return {
    ...others,
    components: { ...components, responses },
    paths: mapValues(paths, (item) =>
      mapValues(item, (operation) =>
        operation.responses === undefined
          ? operation
          : { ...operation, responses: responsesOf(operation, components) },
      ),
    ),
  };
}

/**
 * Prism prefers 422 to 400 for an invalid request. So 422 becomes the default response, which `Prefer: code=422` still
 * selects.
 */
function responsesOf(
  { operationId = '', responses = {} }: Operation,
  components: Contract['components'],
): Record<string, Response> {
  const { 422: keyReused, ...others } = mapValues(responses, (response) => {
    const named = components.responses[componentOf(response)];
    if (named === undefined) return withRequiredHeaders(response, components);
    const { example } = named.content?.[problemType] ?? {};
    // The cast holds because tests/unit/openapi/document.test.ts validates the examples of each body.
    const problems = problemsOf(operationId, example as Schemas['Problem']);
    if (Object.keys(problems).length === 0) return response;
    const examples = { default: { value: example }, ...problems };
    return { ...withRequiredHeaders(named, components), content: { [problemType]: { examples } } };
  });
  return keyReused === undefined ? others : { ...others, default: keyReused };
}

const problemType = 'application/problem+json';

/** Prism sends every documented header, so optional headers such as `Idempotency-Replayed` are removed. */
function withRequiredHeaders(response: Response, components: Contract['components']): Response {
  const required = Object.entries(response.headers ?? {}).filter(
    ([, header]) => (components.headers[componentOf(header)] ?? header).required,
  );
  return { ...response, headers: Object.fromEntries(required) };
}

/** The name of the component that is referred to; empty without a reference. */
export function componentOf({ $ref = '' }: { readonly $ref?: string }): string {
  return $ref.replace(/^.*\//, '');
}

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
