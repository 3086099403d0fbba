import document from '../generated/openapi.json' with { type: 'json' };

/** The methods of a path, as the Allow header lists them (RFC 9110, section 10.2.1); undefined for unknown paths. */
export function allowedMethods(path: string): string | undefined {
  return table.find(({ pattern }) => pattern.test(path))?.allow;
}

const methodNames: Readonly<Record<string, readonly string[]>> = {
  get: ['GET', 'HEAD'],
  post: ['POST'],
  put: ['PUT'],
  delete: ['DELETE'],
};

const table = Object.entries(document.paths).map(([path, item]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}/*$`),
  allow: Object.keys(item)
    .flatMap((key) => methodNames[key] ?? [])
    .concat('OPTIONS')
    .join(', '),
}));
