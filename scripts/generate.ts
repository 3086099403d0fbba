/**
 * Generates everything that is derived from the contract and the settings:
 * - the bundled document, which the server serves and validates with;
 * - the types of server, SDK and charts;
 * - the tables of settings (server/settings.md), of methods (sdk/README.md), and of the mock's states (sdk/mock.md).
 *
 * With --check, writes nothing and fails if a file is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import openapiTypescript, {
  addJSDocComment,
  astToString,
  type OpenAPI3,
  type OpenAPITSOptions,
  type OperationObject,
  type ReferenceObject,
  type SchemaObject,
  type TransformNodeOptions,
} from 'openapi-typescript';
import type ts from 'typescript';
import { bundleContract } from './generate/bundle.ts';
import { chartTypes } from './generate/chart-types.ts';
import { sdkTypes } from './generate/sdk-types.ts';
import { methodsTable, settingsTable, statesTable, withTable } from './generate/tables.ts';

const root = new URL('../', import.meta.url);
const notice = '// Made from openapi/ by `npm run generate`. Edit the contract, not this file.\n\n';

const bundle = await bundleContract(new URL('openapi/', root));

const files: Record<string, string> = {
  'server/src/generated/openapi.json': JSON.stringify(bundle, null, 1) + '\n',
  'server/src/generated/contract.ts': text(
    await types(withDefaultsFilled(bundle), { defaultNonNullable: true }),
  ),
  'server/charts/src/request/generated/request.ts': notice + (await chartTypes(structuredClone(bundle))),
  'sdk/src/generated/contract.ts': text(
    sdkTypes(await types(bundle, { defaultNonNullable: false, transformProperty: describe }), bundle),
  ),
  'sdk/src/generated/operations.ts': notice + sdkOperations(bundle),
};

for (const [page, name, table] of [
  ['server/settings.md', 'settings', settingsTable()],
  ['sdk/README.md', 'methods', methodsTable()],
  ['sdk/mock.md', 'states', statesTable(bundle)],
] as const)
  files[page] = withTable(files[page] ?? (await readFile(new URL(page, root), 'utf8')), name, table);

const check = process.argv.includes('--check');
for (const [path, content] of Object.entries(files)) {
  const url = new URL(path, root);
  const current = await readFile(url, 'utf8').catch(() => '');
  if (current === content) continue;
  if (check) {
    console.error(`${path} is out of date. Run "npm run generate" and commit the result.`);
    process.exitCode = 1;
  } else {
    await writeFile(url, content);
    console.log(`wrote ${path}`);
  }
}

function types(document: OpenAPI3, options: OpenAPITSOptions): ReturnType<typeof openapiTypescript> {
  return openapiTypescript(structuredClone(document), options);
}

function text(nodes: Parameters<typeof astToString>[0]): string {
  return notice + astToString(nodes);
}

/** Validation fills in defaults, so in the server a parameter with a default is always present. */
function withDefaultsFilled(document: OpenAPI3): OpenAPI3 {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    isParameterWithDefault(value) ? { ...value, required: true } : value,
  ) as OpenAPI3;
}

function isParameterWithDefault(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || !('in' in value) || !('schema' in value)) return false;
  return typeof value.schema === 'object' && value.schema !== null && 'default' in value.schema;
}

/** Copies the description of a schema to each property that refers to the schema, so that editors show it there. */
function describe(
  property: ts.PropertySignature,
  schema: SchemaObject | ReferenceObject,
  { ctx }: TransformNodeOptions,
): undefined {
  const references = [schema, ...('anyOf' in schema ? (schema.anyOf ?? []) : [])];
  const reference = references.find((each) => '$ref' in each);
  if (reference === undefined || 'description' in schema) return;
  const { description = '' } = ctx.resolve<SchemaObject>(reference.$ref) ?? {};
  addJSDocComment({ description }, property);
}

/** Writes a constant for each operation. A bundler leaves out the constants that an application does not use. */
function sdkOperations({ paths = {} }: OpenAPI3): string {
  const constants = Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, OperationObject][]).map(([method, { operationId, parameters }]) => {
      if (operationId === undefined) return '';
      const isKeyed = JSON.stringify(parameters ?? []).includes('/IdempotencyKey"');
      const operation = [operationId, method.toUpperCase(), path, ...(isKeyed ? [isKeyed] : [])];
      return `export const ${operationId} = ${JSON.stringify(operation)} as const;\n`;
    }),
  );
  return constants.join('');
}
