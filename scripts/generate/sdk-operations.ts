import type { OpenAPI3, OperationObject } from 'openapi-typescript';

/** Writes a constant for each operation. A bundler leaves out the constants that an application does not use. */
export function sdkOperations({ paths = {} }: OpenAPI3): string {
  const constants = Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [string, OperationObject][]).map(([method, { operationId, parameters }]) => {
      if (operationId === undefined) return '';
      const isKeyed = JSON.stringify(parameters ?? []).includes('/IdempotencyKey"');
      const operation = { id: operationId, method: method.toUpperCase(), path, ...(isKeyed && { isKeyed }) };
      return `export const ${operationId} = ${JSON.stringify(operation)} as const;\n`;
    }),
  );
  return constants.join('');
}
