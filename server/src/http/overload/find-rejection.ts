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

/** Finds the limit that a request would exceed, by its head. */
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

/** Only requests for operations and messages to the MCP endpoint are rejected; probes and preflights of CORS are not. */
export function createFindRejection({
  contract,
  capacity,
  findVerified,
}: FindRejectionOptions): FindRejection {
  return ({ path, method, authorization }) => {
    const id = contract.operationAt(path, method);
    if (id === undefined && (path !== mcpPath || method === 'OPTIONS')) return undefined;
    const token = bearerToken(authorization);
    const callerId = token === undefined ? undefined : findVerified(token)?.id;
    const problem =
      id === undefined ? capacity.findSharedRejection(callerId) : capacity.findRejection(id, callerId);
    return problem && { problem, callerId };
  };
}
