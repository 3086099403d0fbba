import type { OpenAPI3 } from 'openapi-typescript';
import { createClient } from '../../sdk/src/index.ts';
import { lists, reads, writes } from '../../sdk/src/operation-methods.ts';

const methods: Readonly<Record<string, readonly [area: string, name: string, parameters: number]>> = {
  ...reads,
  ...lists,
  ...writes,
};

/** The table of the methods of each area: those of operations, in the order of the contract, and then the others. */
export function methodsTable({ paths = {} }: OpenAPI3): string[] {
  const ofOperations = Object.values(paths)
    .flatMap((item) => Object.values(item) as readonly { readonly operationId?: string }[])
    .flatMap(({ operationId = '' }) => (methods[operationId] ? [methods[operationId]] : []));
  // No request is sent.
  const areas = Object.entries(createClient({ baseUrl: 'http://localhost', token: 'none' }));
  const rows = areas.flatMap(([area, ofArea]: [string, unknown]) => {
    if (typeof ofArea !== 'object' || ofArea === null) return [];
    const inOrder = ofOperations.filter((method) => method[0] === area).map(([, name]) => name);
    const names = [...new Set([...inOrder, ...Object.keys(ofArea)])];
    return [`| \`client.${area}\` | ${names.map((name) => `\`${name}\``).join(' ')} |`];
  });
  return ['| Area | Methods |', '| --- | --- |', ...rows];
}
