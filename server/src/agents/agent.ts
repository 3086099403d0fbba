import type { AgentRow } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';

/** An agent as it goes on the wire. Whether it can be run follows from the runtimes that this server has. */
export function agentFromRow(
  row: Omit<AgentRow, 'user_id'>,
  runtimes: Pick<ReadonlySet<string>, 'has'>,
): Schemas['Agent'] {
  const { id, name, created_at, runtime, skills, instructions } = row;
  const status = runtimes.has(runtime) ? 'active' : 'unavailable';
  return { id, name, status, created_at, runtime, skills, instructions };
}

/** What is kept of a new agent: empty counts as absent, and an absent runtime is the server's default. */
export function newAgent(
  body: Schemas['AgentCreate'],
  defaultRuntime: string,
): Pick<AgentRow, 'name' | 'runtime' | 'skills' | 'instructions'> {
  return {
    name: body.name.trim(),
    runtime: textOrNull(body.runtime) ?? defaultRuntime,
    skills: [...new Set(body.skills)],
    instructions: textOrNull(body.instructions),
  };
}

function textOrNull(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text;
}
