import type { Problem } from '../../errors.ts';
import type { Principal } from '../../operation.ts';
import { mcpPath } from '../mcp/mcp.ts';
import type { Contract } from '../openapi/contract.ts';
import { bearerToken } from '../request/bearer.ts';
import type { CapacityChecks } from './capacity.ts';

/** Why a request is rejected before Koa runs, and whose it is if its token was verified before. */
export interface Rejection {
  readonly problem: Problem;
  readonly callerId: string | undefined;
}

/** Finds the limit that a request would exceed, by what its head tells. */
export type FindRejection = (head: {
  readonly path: string;
  readonly method: string;
  readonly authorization: string;
}) => Rejection | undefined;

interface FindRejectionOptions {
  readonly contract: Pick<Contract, 'operationAt'>;
  readonly capacity: CapacityChecks;
  readonly findVerified: (token: string) => Principal | undefined;
}

/** What is neither an operation nor the MCP endpoint, such as a probe, is never rejected. */
export function createFindRejection({
  contract,
  capacity,
  findVerified,
}: FindRejectionOptions): FindRejection {
  return ({ path, method, authorization }) => {
    const id = contract.operationAt(path, method);
    if (id === undefined && path !== mcpPath) return undefined;
    const token = bearerToken(authorization);
    const callerId = token === undefined ? undefined : findVerified(token)?.id;
    // The share of a caller of MCP is checked by the call of its tool.
    const problem = id === undefined ? capacity.findSharedRejection() : capacity.findRejection(id, callerId);
    return problem && { problem, callerId };
  };
}
