import type { Schema } from './schema.ts';

/** The operations of a contract by method and path. */
export type Contract = Readonly<Record<string, Operation>>;

export interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: MediaTypes };
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly schema: Schema;
}

export interface Response {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  readonly content?: MediaTypes;
}

export type MediaTypes = Readonly<
  Record<string, { readonly schema: Schema & { readonly 'x-event'?: Schema } }>
>;

interface PathItem {
  readonly parameters?: readonly Parameter[];
  readonly [method: string]: unknown;
}

interface Bundle {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly security?: readonly object[];
}

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/**
 * The operations of a bundled contract. References are resolved, and inherited parameters and security are included.
 */
export function resolved(bundle: unknown): Contract {
  // `generate` has checked that the bundle is an OpenAPI document.
  const { paths, security = [] } = resolve(bundle, bundle) as Bundle;
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => methods.includes(method))
        .map(([method, operation]) => {
          const definition = operation as Partial<Operation> & Pick<Operation, 'operationId' | 'responses'>;
          const parameters = [...(item.parameters ?? []), ...(definition.parameters ?? [])];
          return [`${method.toUpperCase()} ${path}`, { security, ...definition, parameters }];
        }),
    ),
  );
}

function resolve(value: unknown, root: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => resolve(each, root));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') {
    const [, name] = /^#\/components\/schemas\/(.+)$/.exec(value.$ref) ?? [];
    const resolved = resolve(target(value.$ref, root), root) as object;
    // The name lets the gate report a break in a component once instead of at every use.
    return name === undefined ? resolved : { ...resolved, 'x-component': name };
  }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, root)]));
}

function target(reference: string, root: unknown): unknown {
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], root);
}
