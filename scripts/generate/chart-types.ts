import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { reachable } from './sdk-types.ts';

/** The types of a chart request, and the defaults of its fields, for the package of charts. */
export async function chartTypes(document: OpenAPI3): Promise<string> {
  const { ChartRequest: request, ...others } = document.components?.schemas ?? {};
  if (request === undefined || !('properties' in request)) throw new Error('ChartRequest is not an object.');
  const parts = reachable(request, others);
  const schemas = Object.fromEntries(Object.entries(others).filter(([name]) => parts.has(name)));
  const nodes = await openapiTypescript(
    { ...document, paths: {}, components: { schemas: { ...schemas, ChartRequest: request } } },
    { defaultNonNullable: false, immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true },
  );
  const used = nodes.filter(
    (node) =>
      (ts.isTypeAliasDeclaration(node) && !unused.has(node.name.text)) ||
      (ts.isInterfaceDeclaration(node) && node.name.text === 'components'),
  );
  return `${astToString(used)}export const defaults = ${JSON.stringify(defaultsOf(request.properties ?? {}))} as const;\n`;
}

const unused = new Set(['$defs', 'operations', 'webhooks', 'paths']);

function defaultsOf(properties: object): Readonly<Record<string, unknown>> {
  // The cast holds because the properties of a schema are schemas.
  const fields = Object.entries(properties) as [string, { readonly default?: unknown }][];
  return Object.fromEntries(
    fields.flatMap(([name, schema]) => (schema.default === undefined ? [] : [[name, schema.default]])),
  );
}
