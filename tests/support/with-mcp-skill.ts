import type { Schemas } from '../../server/src/contract/operation.ts';
import { createAgent, noLimits, runAgent, toolResults } from './agents.ts';
import {
  modelEnv,
  textResponse,
  toolCallResponse,
  type ModelRequest,
  type ModelServer,
} from './model-server.ts';
import { startScriptedMcpServer, type CallResponse, type ScriptedMcpServer } from './scripted-mcp-server.ts';
import { startTestServer, type TestServerOptions } from './server.ts';
import type { WithModel } from './with-model.ts';

/** Starts a server that has the MCP server as the skill `mcp:files`, and creates an agent with this skill. */
export async function startWithMcpSkill(
  model: ModelServer,
  { url }: { readonly url: string },
  { env = {}, ...options }: TestServerOptions = {},
): Promise<WithModel> {
  const skill = { MCP_SKILL_FILES_URL: url, MCP_SKILL_FILES_TOKEN: 'a-secret-token' };
  const server = await startTestServer({
    env: { ...noLimits, ...modelEnv(model), ...skill, MCP_SKILL_FILES_APPROVAL: 'never', ...env },
    ...options,
  });
  const alice = await server.as('alice');
  const agent = await createAgent(alice, { runtime: 'local', skills: ['mcp:files'] });
  return { model, server, alice, agent };
}

interface FilesOptions extends TestServerOptions {
  /** The tools of the MCP server. The default is `write` and `read`. */
  readonly tools?: readonly object[];
  readonly respond?: CallResponse;
}

/** Starts a scripted MCP server, and a server that has it as the skill `mcp:files`. */
export async function startWithFiles(
  model: ModelServer,
  { tools, respond, ...options }: FilesOptions = {},
): Promise<WithModel & { readonly files: ScriptedMcpServer }> {
  const files = await startScriptedMcpServer(tools, respond);
  return { files, ...(await startWithMcpSkill(model, files, options)) };
}

/** Runs an agent whose model calls a tool once. Resolves to the run and the message with the result. */
export async function runWithCall(
  { model, alice, agent }: Omit<WithModel, 'server'>,
  name: string,
  values: object | string = {},
  context?: Record<string, unknown>,
): Promise<{ run: Schemas['Run']; result: Schemas['Message'] | undefined }> {
  model.respondWith(toolCallResponse(name, values), textResponse('Finished.'));
  const { body: run } = await runAgent(alice, agent, 'Call it', { context });
  const [result] = await toolResults(alice, run.session_id);
  return { run, result };
}

/** The names of the tools that a model has received. */
export function toolNames(request: ModelRequest | undefined): string[] {
  return (request?.tools ?? []).map((tool) => tool.function.name);
}
