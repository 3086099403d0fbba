import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import document from '../server/src/generated/openapi.json' with { type: 'json' };

/** The operations of the contract, with their documented statuses. */
export function documentedOperations(): { operationId: string; statuses: string[] }[] {
  return Object.values(document.paths)
    .flatMap((item): unknown[] => Object.values(item))
    .filter(isOperation)
    .map(({ operationId, responses }) => ({ operationId, statuses: Object.keys(responses) }));
}

/** Returns false for the parameters of a path item, which are next to its operations. */
function isOperation(value: unknown): value is { operationId: string; responses: object } {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

/** The pairs of operation and status, such as "getTask 200", that the tests have recorded in a folder. */
export function recordedPairs(folder: string): ReadonlySet<string> {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return new Set(files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')));
}
