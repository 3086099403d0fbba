import type { Schemas } from '../../server/src/operation.ts';
import { createAgent, noLimits } from './agents.ts';
import type { Client } from './client.ts';
import { modelEnv, startModelServer, type ModelServer } from './model-server.ts';
import { startTestServer } from './server.ts';

/** Starts a model server and a test server that is configured with it, and creates an agent that uses it. */
export async function startWithModel(): Promise<{
  model: ModelServer;
  alice: Client;
  agent: Schemas['Agent'];
}> {
  const model = await startModelServer();
  const server = await startTestServer({
    env: { ...noLimits, ...modelEnv(model), AGENT_MAX_STEPS: '3', AGENT_STEP_TIMEOUT_MS: '5000' },
  });
  const alice = await server.as('alice');
  const agent = await createAgent(alice, {
    runtime: 'local',
    skills: ['tasks'],
    instructions: 'Be brief.',
  });
  return { model, alice, agent };
}
