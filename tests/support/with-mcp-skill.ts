import type { Schemas } from '../../server/src/operation.ts';
import { createAgent, messagesOf, noLimits, runAgent } from './agents.ts';
import type { Client } from './client.ts';
import {
  modelEnv,
  textResponse,
  toolCallResponse,
  type ModelRequest,
  type ModelServer,
} from './model-server.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

export interface WithMcpSkill {
  readonly server: TestServer;
  readonly alice: Client;
  readonly agent: Schemas['Agent'];
}

/** Starts a server with the MCP server as the skill `mcp:files`, and creates an agent that has it. */
export async function startWithMcpSkill(
  model: ModelServer,
  { url }: { readonly url: string },
  { env = {}, log = [], changes = {} }: Omit<TestServerOptions, 'sharing'> = {},
): Promise<WithMcpSkill> {
  const skill = { MCP_SKILLS: 'files', MCP_SKILL_FILES_URL: url, MCP_SKILL_FILES_TOKEN: 'a-secret-token' };
  const server = await startTestServer({
    env: { ...noLimits, ...modelEnv(model), ...skill, MCP_SKILL_FILES_APPROVAL: 'never', ...env },
    log,
    changes,
  });
  const alice = await server.as('alice');
  const agent = await createAgent(alice, { runtime: 'local', skills: ['mcp:files'] });
  return { server, alice, agent };
}

/** Runs an agent whose model calls a tool once, and resolves to the run and the message with the result of the call. */
export async function runWithCall(
  { alice, agent }: Pick<WithMcpSkill, 'alice' | 'agent'>,
  model: ModelServer,
  name: string,
  values: object = {},
): Promise<{ run: Schemas['Run']; result: Schemas['Message'] | undefined }> {
  model.respondWith(toolCallResponse(name, values), textResponse('Finished.'));
  const { body: run } = await runAgent(alice, agent, 'Call it');
  const messages = await messagesOf(alice, run.session_id);
  return { run, result: messages.find(({ role }) => role === 'tool') };
}

/** The names of the tools that a model was given. */
export function toolNames(request: ModelRequest | undefined): string[] {
  return (request?.tools ?? []).map((tool) => tool.function.name);
}
