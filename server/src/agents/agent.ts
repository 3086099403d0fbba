import type { AgentRow } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';

export type StoredAgent = Omit<AgentRow, 'user_id' | 'archived_at'>;

/** The wire form of an agent. It is active if its runtime is configured on this server. */
export function agentFromRow(row: StoredAgent, runtimes: Pick<ReadonlySet<string>, 'has'>): Schemas['Agent'] {
  const { id, name, created_at, runtime, skills, approvals, instructions } = row;
  const status = runtimes.has(runtime) ? 'active' : 'unavailable';
  return { id, name, status, created_at, runtime, skills, approvals, instructions };
}

type AgentFields = Pick<AgentRow, 'name' | 'runtime' | 'skills' | 'approvals' | 'instructions'>;

/** The columns of a new agent. Fields that the body lacks have their defaults. */
export function newAgent(body: Schemas['AgentCreate'], defaultRuntime: string): AgentFields {
  const defaults = { runtime: defaultRuntime, skills: [], approvals: [], instructions: null };
  return { ...defaults, ...writtenFields(body, defaultRuntime), name: body.name.trim() };
}

/** The columns that an update writes, for the fields in the body. An empty value stands for the default. */
export function writtenFields(
  { name, runtime, skills, approvals, instructions }: Schemas['AgentUpdate'],
  defaultRuntime: string,
): Partial<AgentFields> {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(runtime !== undefined && { runtime: nullIfBlank(runtime) ?? defaultRuntime }),
    ...(skills !== undefined && { skills: [...new Set(skills)] }),
    ...(approvals !== undefined && { approvals: [...new Set(approvals)] }),
    ...(instructions !== undefined && { instructions: nullIfBlank(instructions) }),
  };
}

function nullIfBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
