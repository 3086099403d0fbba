import { createAgents, type Agents } from './agents.ts';
import { createRuns, type Runs } from './runs.ts';
import { createRuntimes, type Runtimes } from './runtimes.ts';
import { createSessions, type Sessions } from './sessions.ts';
import type { Transport } from './transport.ts';

/** Agents, and everything that belongs to them. */
export interface AgentAreas {
  readonly agents: Agents;
  readonly runtimes: Runtimes;
  readonly runs: Runs;
  readonly sessions: Sessions;
}

export function createAgentAreas(transport: Transport): AgentAreas {
  return {
    agents: createAgents(transport),
    runtimes: createRuntimes(transport),
    runs: createRuns(transport),
    sessions: createSessions(transport),
  };
}
