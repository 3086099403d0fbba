import type { Schemas } from '../../operation.ts';
import type { Tool } from '../skills/tool.ts';
import type { LeasedRun } from './lease.ts';

/** Whether the user has yet to decide about a tool call. A call of an unknown tool needs no decision: it only fails. */
export function isUndecided(
  tools: readonly Tool[],
  { agent: { approvals }, decisions }: LeasedRun,
  { id, name }: Schemas['ToolCall'],
): boolean {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined || decisions[id] !== undefined) return false;
  return tool.needsApproval || approvals.includes('*') || approvals.includes(name);
}
