import type { Schemas } from '../../server/src/operation.ts';
import type { Answer, Client } from './client.ts';

/** Where a test is about something else, limits must not be in its way. */
export const noLimits = {
  RATE_LIMIT_RUNS_PER_CALLER: '0',
  RATE_LIMIT_RUNS_PER_AGENT: '0',
  RATE_LIMIT_REQUESTS_PER_CALLER: '0',
};

/** A new agent of the client's user, with all skills. */
export async function createAgent(
  client: Client,
  fields: Partial<Schemas['AgentCreate']> = {},
): Promise<Schemas['Agent']> {
  const { body } = await client.ok('createAgent', {
    body: { name: 'Planner', skills: ['tasks', 'viz'], ...fields },
  });
  return body;
}

interface RunInput {
  readonly context?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
}

/** Runs an agent, by default until it is finished. */
export async function runAgent(
  client: Client,
  agent: { readonly id: string },
  input: string,
  { context, headers }: RunInput = {},
): Promise<Answer<Schemas['Run']>> {
  const body = { input, ...(context === undefined ? {} : { context }) };
  const answer = await client.ok('runAgent', { id: agent.id, body, headers });
  // Only a request for a stream is answered otherwise.
  return answer;
}

/** All messages of a session. */
export async function messagesOf(client: Client, sessionId: string): Promise<Schemas['Message'][]> {
  const { body } = await client.ok('listMessages', { id: sessionId });
  return body.messages;
}

/** Waits in the background until the latest run of a session is finished. */
export async function finishedSession(client: Client, sessionId: string): Promise<Schemas['Session']> {
  for (;;) {
    const { body } = await client.ok('getSession', { id: sessionId });
    if (body.status !== 'running') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
