import type { OperationId } from '../../server/src/contract/operation.ts';
import { searchText, type Input } from './client.ts';
import { allOperations, examplesOf, operationOf } from './contract.ts';

/** An id that no resource has. */
export const unknownId = '01932c07-a5a8-7d51-8a62-3a4b5c6d7e8f';

export const operationIds: readonly OperationId[] = allOperations.map(({ operationId }) => operationId);

/** The operations that require a token. */
export const userOperationIds = operationIds.filter((id) => id !== 'getLinkedChart');

/** A valid request for each operation: its body is the first example, and its resource does not exist. */
// This cast is safe: the keys are the ids of all operations.
export const requests = Object.fromEntries(operationIds.map((id) => [id, requestOf(id)])) as Readonly<
  Record<OperationId, Input>
>;

function requestOf(operationId: OperationId): Input {
  const { path, requestBody } = operationOf(operationId);
  const [body] = Object.values(requestBody?.content ?? {}).flatMap(examplesOf);
  return {
    ...(/\{(?:id|link)\}/.test(path) && { id: unknownId }),
    ...(path.includes('{comment_id}') && { commentId: unknownId }),
    ...(operationId === 'listChanges' && { query: { after: '0' } }),
    ...(body !== undefined && { body }),
  };
}

/** The query of the operation's valid request, including the question mark. */
export function searchOf(id: OperationId): string {
  return searchText(requests[id].query);
}
