import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Answer, Client } from './client.ts';
import { eventsFrom } from './events.ts';

/** Disables rate limits, for tests that are not about them. */
export const noLimits = { AGENT_REQUESTS_PER_MINUTE: '0' };

/** Creates an agent of the client's user, with all skills. */
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
  readonly context?: Record<string, unknown> | undefined;
  readonly headers?: Record<string, string> | undefined;
}

/** Runs an agent. By default, waits until the run is finished. */
export async function runAgent(
  client: Client,
  agent: { readonly id: string },
  input: string,
  { context, headers }: RunInput = {},
): Promise<Answer<Schemas['Run']>> {
  const body = { input, ...(context === undefined ? {} : { context }) };
  return client.ok('runAgent', { id: agent.id, body, headers });
}

/** Starts a run without waiting for its end. */
export async function startRun(
  client: Client,
  agent: { readonly id: string },
  input: string,
  sessionId?: string,
): Promise<Schemas['Run']> {
  const context = sessionId === undefined ? {} : { session_id: sessionId };
  return (await runAgent(client, agent, input, { context, headers: { Prefer: 'respond-async' } })).body;
}

/** Runs an agent and resolves to all events of the stream. */
export async function streamRun(
  client: Client,
  agent: { readonly id: string },
  input: string,
  { context, headers }: RunInput = {},
): Promise<Schemas['RunEvent'][]> {
  const accept = { Accept: 'text/event-stream' };
  const request = { context, headers: { ...accept, ...headers } };
  const { body }: { body: unknown } = await runAgent(client, agent, input, request);
  return eventsFrom(String(body));
}

export async function messagesOf(client: Client, sessionId: string): Promise<Schemas['Message'][]> {
  const { body } = await client.ok('listMessages', { id: sessionId });
  return body.messages;
}

/** The results of the tool calls in a session. */
export async function toolResults(client: Client, sessionId: string): Promise<Schemas['Message'][]> {
  return (await messagesOf(client, sessionId)).filter(({ role }) => role === 'tool');
}

/** Polls a run until it has ended. */
export async function endedRun(client: Client, { id }: { readonly id: string }): Promise<Schemas['Run']> {
  for (;;) {
    const { body } = await client.ok('getRun', { id });
    if (body.completed_at !== null) return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Polls a session until its latest run is finished. */
export async function finishedSession(client: Client, sessionId: string): Promise<Schemas['Session']> {
  for (;;) {
    const { body } = await client.ok('getSession', { id: sessionId });
    if (body.status !== 'running') return body;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
