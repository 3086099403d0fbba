import type { Selectable } from 'kysely';
import type { AgentRow } from '../db/tables.ts';
import type { Schemas } from '../operation.ts';
import { warningsOf, type Configured } from './agent-warnings.ts';

export type StoredAgent = Omit<Selectable<AgentRow>, 'user_id' | 'archived_at'>;

/** The agent as clients receive it. It is active if this server has its runtime. */
export function agentFromRow(row: StoredAgent, configured: Configured): Schemas['Agent'] {
  const { id, name, created_at, runtime, skills, approvals, instructions, model_options } = row;
  const status = configured.runtimes.has(runtime) ? 'active' : 'unavailable';
  const warnings = warningsOf(row, configured);
  return { id, name, status, created_at, runtime, skills, approvals, instructions, model_options, warnings };
}

type AgentFields = Omit<StoredAgent, 'id' | 'created_at'>;

/** The columns of a new agent. Fields that the body lacks have their defaults. */
export function newAgent(body: Schemas['AgentCreate'], defaultRuntime: string): AgentFields {
  const defaults = {
    runtime: defaultRuntime,
    skills: [],
    approvals: [],
    instructions: null,
    model_options: {},
  };
  return { ...defaults, ...writtenFields(body, defaultRuntime), name: body.name.trim() };
}

/** The columns that an update writes, for the fields in the body. An empty value restores the default. */
export function writtenFields(
  { name, runtime, skills, approvals, instructions, model_options: options }: Schemas['AgentUpdate'],
  defaultRuntime: string,
): Partial<AgentFields> {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(runtime !== undefined && { runtime: nullIfBlank(runtime) ?? defaultRuntime }),
    ...(skills !== undefined && { skills: [...new Set(skills)] }),
    ...(approvals !== undefined && { approvals: [...new Set(approvals)] }),
    ...(instructions !== undefined && { instructions: nullIfBlank(instructions) }),
    ...(options !== undefined && { model_options: knownOptions(options) }),
  };
}

/** The options without unknown members, which are ignored. */
function knownOptions({
  temperature,
  max_output_tokens,
  reasoning_effort,
}: Schemas['ModelOptions']): Schemas['ModelOptions'] {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(max_output_tokens !== undefined && { max_output_tokens }),
    ...(reasoning_effort !== undefined && { reasoning_effort }),
  };
}

function nullIfBlank(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}
