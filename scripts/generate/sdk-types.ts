import type { OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

/** Schemas whose types the SDK extends and exports under the same name. */
const redefined = new Set(['Task']);

/**
 * The SDK does not export the types of these schemas: bodies that its methods wrap or unwrap, and parts of its own
 * types.
 */
const internal = new Set([
  'AgentList',
  'MessageList',
  'PdfImage',
  'PngImage',
  'QueuedRun',
  'ReferenceLine',
  'RunList',
  'SessionList',
  'StreamStart',
  'SvgImage',
  'TaskEnvelope',
  'TaskFields',
  'TaskList',
  'ToolCallDecisions',
]);

/**
 * The generated types in a form that is convenient for callers, exported by the SDK. Editors show an object by the name
 * of its schema. Requests accept read-only arrays, and undefined for optional fields.
 */
export function sdkTypes(nodes: readonly ts.Node[], document: OpenAPI3): ts.Node[] {
  const inputs = inputSchemas(document);
  return nodes.flatMap((node) => {
    // Drops the type aliases, which are empty: the contract has no webhooks and no other definitions.
    if (!ts.isInterfaceDeclaration(node)) return [];
    if (node.name.text === 'operations')
      return [mapProperties(node, (name, type) => (name === 'query' ? asInput(type) : type))];
    if (node.name.text !== 'components') return [node];
    const interfaces = schemasOf(node).flatMap((schema) => interfaceOf(schema, inputs));
    const named = new Set(interfaces.map(({ name }) => name.text));
    const referTo = (name: string, type: ts.TypeNode): ts.TypeNode => {
      if (named.has(name)) return ts.factory.createTypeReferenceNode(name);
      return inputs.has(name) ? asInput(type) : type;
    };
    return [mapProperties(node, referTo), ...interfaces];
  });
}

function schemasOf(components: ts.InterfaceDeclaration): ts.PropertySignature[] {
  const [schemas] = components.members
    .filter(ts.isPropertySignature)
    .filter((member) => nameOf(member) === 'schemas');
  return schemas?.type !== undefined && ts.isTypeLiteralNode(schemas.type)
    ? schemas.type.members.filter(ts.isPropertySignature)
    : [];
}

/** The interface for a schema; none if the schema is not an object or the SDK redefines its type. */
function interfaceOf(
  schema: ts.PropertySignature,
  inputs: ReadonlySet<string>,
): readonly ts.InterfaceDeclaration[] {
  const name = nameOf(schema);
  if (redefined.has(name) || schema.type === undefined || !ts.isTypeLiteralNode(schema.type)) return [];
  const { members } = inputs.has(name) ? asInput(schema.type) : schema.type;
  const modifiers = internal.has(name) ? [] : [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declaration = ts.factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, members);
  return [ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(schema))];
}

/** Makes arrays read-only, and lets optional properties be undefined. */
function asInput<Type extends ts.TypeNode>(type: Type): Type {
  const undefinedType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  return replaceInside(type, (node) => {
    if (ts.isArrayTypeNode(node))
      return ts.factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, node);
    if (!ts.isPropertySignature(node) || !node.questionToken || !node.type) return node;
    return withType(node, ts.factory.createUnionTypeNode([node.type, undefinedType]));
  });
}

/** Maps the types of properties, at any depth. */
function mapProperties(
  root: ts.InterfaceDeclaration,
  map: (name: string, type: ts.TypeNode) => ts.TypeNode,
): ts.InterfaceDeclaration {
  return replaceInside(root, (node) =>
    ts.isPropertySignature(node) && node.type ? withType(node, map(nameOf(node), node.type)) : node,
  );
}

/** Replaces the nodes inside a node, at any depth, the innermost first. */
function replaceInside<Root extends ts.Node>(root: Root, replace: (node: ts.Node) => ts.Node): Root {
  return ts.visitEachChild(root, (node) => replace(replaceInside(node, replace)), undefined);
}

function withType(property: ts.PropertySignature, type: ts.TypeNode): ts.PropertySignature {
  const { modifiers, name, questionToken } = property;
  return ts.factory.updatePropertySignature(property, modifiers, name, questionToken, type);
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
}

/** The names of the schemas that requests use and responses do not. */
function inputSchemas({ paths = {}, components = {} }: OpenAPI3): Set<string> {
  const schemas: Readonly<Record<string, unknown>> = components.schemas ?? {};
  const inRequests = reachable(valuesOf(paths, 'requestBody'), schemas);
  const inResponses = reachable([valuesOf(paths, 'responses'), components.responses], schemas);
  return inRequests.difference(inResponses);
}

/** The names of the schemas to which a value refers, at any depth. */
export function reachable(value: unknown, schemas: Readonly<Record<string, unknown>>): Set<string> {
  const found = new Set<string>();
  const follow = (each: unknown): void => {
    for (const reference of valuesOf(each, '$ref')) {
      const name = /^#\/components\/schemas\/(.*)$/.exec(String(reference))?.[1];
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      follow(schemas[name]);
    }
  };
  follow(value);
  return found;
}

/** All values of a key, at any depth. */
function valuesOf(value: unknown, key: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => [
    ...(name === key ? [each] : []),
    ...valuesOf(each, key),
  ]);
}
