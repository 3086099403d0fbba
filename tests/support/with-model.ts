import type { Schemas } from '../../server/src/contract/operation.ts';
import { createAgent, noLimits, runAgent } from './agents.ts';
import type { Client } from './client.ts';
import type { ConfigChanges } from './config.ts';
import {
  modelEnv,
  startModelServer,
  textResponse,
  type ModelResponse,
  type ModelServer,
} from './model-server.ts';
import { startTestServer, type TestServer } from './server.ts';

export interface WithModel {
  readonly model: ModelServer;
  readonly server: TestServer;
  readonly alice: Client;
  readonly agent: Schemas['Agent'];
}

/** Starts a model server, a test server that uses it, and an agent with it. */
export async function startWithModel(
  env: Readonly<Record<string, string>> = {},
  fields: Partial<Schemas['AgentCreate']> = {},
  changes: ConfigChanges = {},
  log?: string[],
): Promise<WithModel> {
  const model = await startModelServer();
  const options = { env: { ...noLimits, ...modelEnv(model), ...env }, changes };
  const server = await startTestServer({ ...options, ...(log && { log }) });
  const alice = await server.as('alice');
  return { model, server, alice, agent: await createAgent(alice, { runtime: 'local', ...fields }) };
}

/**
 * Starts a model server, and a test server that has it as several runtimes. `runtimes` has their names in lower case,
 * and the settings of each without the prefix `AGENT_RUNTIME_<NAME>_`.
 */
export async function startWithRuntimes(
  runtimes: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<Omit<WithModel, 'agent'>> {
  const model = await startModelServer();
  const settings = Object.entries(runtimes).flatMap(([name, own]) =>
    Object.entries({ URL: model.url, MODEL: 'test-model', ...own }).map(
      ([setting, value]) => [`AGENT_RUNTIME_${name.toUpperCase()}_${setting}`, value] as const,
    ),
  );
  const server = await startTestServer({ env: { ...noLimits, ...Object.fromEntries(settings) } });
  return { model, server, alice: await server.as('alice') };
}

/** Starts a run with the input "One". Resolves when the model has its request, which it answers after `release`. */
export async function startedRun(
  { model, alice, agent }: Omit<WithModel, 'server'>,
  sessionId: string,
  headers: Readonly<Record<string, string>> = {},
  answer: ModelResponse = textResponse('Done.'),
): Promise<{ run: Schemas['Run']; release: () => void }> {
  const { promise: asked, resolve: onRequest } = Promise.withResolvers<undefined>();
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  model.respondWith((response, request) => {
    onRequest(undefined);
    void released.then(() => {
      answer(response, request);
    });
  });
  const { body: run } = await runAgent(alice, agent, 'One', {
    context: { session_id: sessionId },
    headers: { Prefer: 'respond-async', ...headers },
  });
  await asked;
  return {
    run,
    release: () => {
      release(undefined);
    },
  };
}
