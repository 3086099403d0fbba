import type { OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

/** The SDK extends the type of this schema, and exports the result under its name. */
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
    // The contract has no webhooks and no other definitions.
    if (!ts.isInterfaceDeclaration(node)) return [];
    if (node.name.text === 'operations')
      return [mapProperties(node, ({ name }) => name === 'query', asInput)];
    if (node.name.text !== 'components') return [node];
    const schemas = membersAt(node, 'schemas');
    const interfaces = schemas.flatMap((schema) => interfaceOf(schema, inputs));
    const named = new Set(interfaces.map(({ name }) => name.text));
    return [mapProperties(node, ({ name }) => named.has(name), referenceTo), ...interfaces];
  });
}

interface NamedProperty {
  readonly name: string;
  readonly property: ts.PropertySignature;
}

function membersAt(node: ts.InterfaceDeclaration, name: string): NamedProperty[] {
  return node.members.filter(ts.isPropertySignature).flatMap((property) => {
    if (nameOf(property) !== name || property.type === undefined || !ts.isTypeLiteralNode(property.type))
      return [];
    return property.type.members
      .filter(ts.isPropertySignature)
      .map((each) => ({ name: nameOf(each), property: each }));
  });
}

/** An interface for the schema of an object. */
function interfaceOf(
  { name, property }: NamedProperty,
  inputs: ReadonlySet<string>,
): ts.InterfaceDeclaration[] {
  if (redefined.has(name) || property.type === undefined || !ts.isTypeLiteralNode(property.type)) return [];
  const type = inputs.has(name) ? asInput(property.type) : property.type;
  if (!ts.isTypeLiteralNode(type)) return [];
  const modifiers = internal.has(name) ? [] : [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const declaration = ts.factory.createInterfaceDeclaration(
    modifiers,
    name,
    undefined,
    undefined,
    type.members,
  );
  return [ts.setSyntheticLeadingComments(declaration, ts.getSyntheticLeadingComments(property))];
}

function referenceTo(_type: ts.TypeNode, name: string): ts.TypeNode {
  return ts.factory.createTypeReferenceNode(name);
}

/** Makes arrays read-only, and lets optional properties be undefined. */
function asInput(type: ts.TypeNode): ts.TypeNode {
  const { transformed } = ts.transform(type, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node => {
        const visited = ts.visitEachChild(node, visit, context);
        if (ts.isArrayTypeNode(visited))
          return ts.factory.createTypeOperatorNode(ts.SyntaxKind.ReadonlyKeyword, visited);
        return ts.isPropertySignature(visited) && visited.questionToken ? withUndefined(visited) : visited;
      };
      return ts.visitNode(root, visit, ts.isTypeNode);
    },
  ]);
  return transformed[0] ?? type;
}

function withUndefined(property: ts.PropertySignature): ts.PropertySignature {
  const { modifiers, name, questionToken, type } = property;
  const undefinedType = ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword);
  const types = type === undefined ? [undefinedType] : [type, undefinedType];
  return ts.factory.updatePropertySignature(
    property,
    modifiers,
    name,
    questionToken,
    ts.factory.createUnionTypeNode(types),
  );
}

/** Replaces the types of the selected properties, at any depth. */
function mapProperties(
  root: ts.InterfaceDeclaration,
  isChosen: (property: NamedProperty) => boolean,
  map: (type: ts.TypeNode, name: string) => ts.TypeNode,
): ts.InterfaceDeclaration {
  const { transformed } = ts.transform(root, [
    (context) => (tree) => {
      const visit = (node: ts.Node): ts.Node => {
        if (!ts.isPropertySignature(node) || node.type === undefined)
          return ts.visitEachChild(node, visit, context);
        const name = nameOf(node);
        if (!isChosen({ name, property: node })) return ts.visitEachChild(node, visit, context);
        const { modifiers, questionToken } = node;
        return ts.factory.updatePropertySignature(
          node,
          modifiers,
          node.name,
          questionToken,
          map(node.type, name),
        );
      };
      return ts.visitNode(tree, visit, ts.isInterfaceDeclaration);
    },
  ]);
  return transformed[0] ?? root;
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
}

/** The names of schemas that only requests have. */
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
