import type { Db, StoredDecision, ToolIdentities } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { findApprovedTools } from '../sessions/approved-tools.ts';
import type { Tool } from '../skills/tool.ts';
import type { LeasedRun } from './lease.ts';
import { callsWithoutResult } from './next-step.ts';

type ToolCall = Schemas['ToolCall'];

/** The user's decisions about the calls of a run that have no result yet. */
interface Approvals {
  /**
   * Returns true if the user still has to decide about a call. A call of an unknown tool needs no decision, because it
   * fails.
   */
  readonly isUndecided: (call: ToolCall) => boolean;
  /** The user's approval of a call; undefined if the call needs none. */
  readonly approvalOf: (call: ToolCall) => StoredDecision | undefined;
}

interface StepState {
  readonly log: Parameters<typeof callsWithoutResult>[0];
  readonly tools: readonly Tool[];
}

export async function findApprovals(db: Db, run: LeasedRun, { log, tools }: StepState): Promise<Approvals> {
  // Read the approvals before each call, so that a revoked approval covers no further call.
  const approvedTools =
    callsWithoutResult(log).length === 0
      ? {}
      : await findApprovedTools(db, { id: run.sessionId, userId: run.userId });
  return {
    isUndecided: (call) => lacksDecision(run, toolOf(call, tools), call, approvedTools),
    approvalOf: ({ id, name }) => {
      const tool = approvedTools[name];
      const ofSession = { approve: true, scope: 'session', decided_by: run.userId, tool } as const;
      return run.decisions[id] ?? (tool === undefined ? undefined : ofSession);
    },
  };
}

export function identitiesOf(calls: readonly ToolCall[], tools: readonly Tool[]): ToolIdentities {
  const called = calls.flatMap((call) => toolOf(call, tools) ?? []);
  return Object.fromEntries(called.map((tool) => [tool.name, tool.identity()]));
}

function lacksDecision(
  { agent: { approvals }, decisions, begunCallId }: LeasedRun,
  tool: Tool | undefined,
  { id, name }: ToolCall,
  approvedTools: ToolIdentities,
): boolean {
  // A call that has begun is not repeated, so it needs no decision.
  if (tool === undefined || id === begunCallId) return false;
  // A tool that has changed asks again, even if it now declares that it only reads.
  const approved = decisions[id] ?? (name in approvedTools ? { tool: approvedTools[name] } : undefined);
  if (approved !== undefined) return approved.tool !== tool.identity();
  return tool.needsApproval || approvals.includes('*') || approvals.includes(name);
}

function toolOf({ name }: ToolCall, tools: readonly Tool[]): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}
