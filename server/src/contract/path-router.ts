/** The operations at a path. */
export interface RouteMatch<Operation> {
  /** The operations by method in lower case. */
  readonly byMethod: ReadonlyMap<string, Operation>;
  readonly params: Readonly<Record<string, string>>;
}

interface Entry<Operation> {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

interface Node<Operation> {
  readonly children: Map<string, Node<Operation>>;
  /** The node for the segments that no literal matches. */
  parameter: { readonly name: string; readonly node: Node<Operation> } | undefined;
  readonly byMethod: Map<string, Operation>;
}

/**
 * Matches paths of the contract segment by segment, so that a match costs the same however many paths there are. Literal
 * segments take precedence over parameters, trailing slashes are ignored, and parameters are decoded.
 */
export function createPathRouter<Operation>(
  entries: readonly Entry<Operation>[],
): (path: string) => RouteMatch<Operation> | undefined {
  const root = emptyNode<Operation>();
  for (const { path, method, operation } of entries) {
    segmentsOf(path).reduce(childNode, root).byMethod.set(method, operation);
  }
  return (path) => find(root, segmentsOf(path));
}

function emptyNode<Operation>(): Node<Operation> {
  return { children: new Map(), parameter: undefined, byMethod: new Map() };
}

function segmentsOf(path: string): string[] {
  let end = path.length;
  while (end > 1 && path.endsWith('/', end)) end -= 1;
  return path.slice(1, end).split('/');
}

function childNode<Operation>(parent: Node<Operation>, segment: string): Node<Operation> {
  const [, name] = /^\{(.+)\}$/.exec(segment) ?? [];
  if (name !== undefined) return (parent.parameter ??= { name, node: emptyNode() }).node;
  const child = parent.children.get(segment) ?? emptyNode<Operation>();
  parent.children.set(segment, child);
  return child;
}

function find<Operation>(
  root: Node<Operation>,
  segments: readonly string[],
): RouteMatch<Operation> | undefined {
  let node = root;
  const params: Record<string, string> = {};
  for (const segment of segments) {
    const child = node.children.get(segment);
    if (child !== undefined) node = child;
    else if (node.parameter !== undefined && segment !== '') {
      const value = decoded(segment);
      if (value === undefined) return undefined;
      params[node.parameter.name] = value;
      node = node.parameter.node;
    } else return undefined;
  }
  return node.byMethod.size === 0 ? undefined : { byMethod: node.byMethod, params };
}

/** Returns true if every "%" of a path begins a valid escape, and the escapes are UTF-8. */
export function isDecodable(path: string): boolean {
  return decoded(path) !== undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
