import document from '../generated/openapi.json' with { type: 'json' };
import { isObject } from '../lib/json.ts';
import type { OperationId, Schemas } from './operation.ts';

/** An operation with its references resolved; only the parts that are used here. */
export interface ContractOperation {
  readonly operationId: OperationId;
  readonly path: string;
  readonly method: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: JsonContent };
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: JsonContent }>>;
  /** Empty for an operation that needs no token. */
  readonly security?: readonly object[];
}

interface JsonContent {
  readonly 'application/json': { schema: Schema };
  readonly 'text/event-stream'?: object;
}

/** The parts of a schema that are used outside validation. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly schema: Schema;
}

type StoredSchema = 'Agent' | 'AuditLogEntry' | 'Change' | 'Comment' | 'Message' | 'Run' | 'Task';

/** The names of a schema's fields without `omitted`, in the order of the contract. Columns have the same names. */
export function schemaFields<Name extends StoredSchema, Omitted extends keyof Schemas[Name] = never>(
  schema: Name,
  ...omitted: Omitted[]
): Exclude<keyof Schemas[Name], Omitted>[] {
  const isOmitted: ReadonlySet<unknown> = new Set(omitted);
  const names = Object.keys(document.components.schemas[schema].properties);
  // The cast is safe, because `generate` makes the type of a schema from its properties.
  return names.filter((name) => !isOmitted.has(name)) as Exclude<keyof Schemas[Name], Omitted>[];
}

/**
 * A copy of a schema in which each `allOf` is merged, and objects exclude the fields that they do not name. Unknown
 * fields have no effect, so validation removes them.
 */
export function closedSchema(schema: Schema): Schema {
  // Copy by JSON text, because openapi-backend would replace parts that are the same object by references.
  return JSON.parse(JSON.stringify(schema), (_name, part: unknown) =>
    isObject(part) && ('allOf' in part || 'properties' in part) ? closedObject(part) : part,
  ) as Schema;
}

function closedObject({ allOf = [], ...own }: Schema): Schema {
  const parts = [...allOf, own];
  return {
    additionalProperties: false,
    ...(Object.assign({}, ...parts) as Schema),
    properties: Object.assign({}, ...parts.map((part) => part.properties)) as Required<Schema>['properties'],
    required: parts.flatMap((part) => part.required ?? []),
  };
}
