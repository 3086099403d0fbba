import type { AgentRow } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';

/** The wire form of an agent. It is active if its runtime is configured on this server. */
export function agentFromRow(
  row: Omit<AgentRow, 'user_id'>,
  runtimes: Pick<ReadonlySet<string>, 'has'>,
): Schemas['Agent'] {
  const { id, name, created_at, runtime, skills, instructions } = row;
  const status = runtimes.has(runtime) ? 'active' : 'unavailable';
  return { id, name, status, created_at, runtime, skills, instructions };
}

/** The columns of a new agent. Empty counts as absent, and the default of an absent runtime is the server's. */
export function newAgent(
  body: Schemas['AgentCreate'],
  defaultRuntime: string,
): Pick<AgentRow, 'name' | 'runtime' | 'skills' | 'instructions'> {
  return {
    name: body.name.trim(),
    runtime: nullIfBlank(body.runtime) ?? defaultRuntime,
    skills: [...new Set(body.skills)],
    instructions: nullIfBlank(body.instructions),
  };
}

function nullIfBlank(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text;
}
