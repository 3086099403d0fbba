import { describe, expect, onTestFinished, vi } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { createAgent, endedRun, noLimits, runAgent } from '../../../support/agents.ts';
import { callsOf, decide } from '../../../support/approvals.ts';
import type { Client } from '../../../support/client.ts';
import { modelEnv, startModelServer, textResponse, toolCallResponse } from '../../../support/model-server.ts';
import {
  startScriptedMcpServer,
  toolNamed,
  type ScriptedMcpServer,
} from '../../../support/scripted-mcp-server.ts';
import { createDatabase, startTestServer, type TestServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';

const model = await startModelServer();
const forSession = { approve: true, scope: 'session' } as const;

interface Restartable {
  readonly files: ScriptedMcpServer;
  readonly alice: Client;
  /** Restarts the server, so that it lists the tools of its MCP server again. */
  readonly restart: () => Promise<Client>;
  /** Runs the agent, whose model calls the tool `write`. */
  readonly write: (client: Client) => Promise<Schemas['Run']>;
}

async function startRestartable(): Promise<Restartable> {
  const files = await startScriptedMcpServer([writeTool]);
  const database = await createDatabase();
  const skill = { MCP_SKILL_FILES_URL: files.url };
  const start = (): Promise<TestServer> =>
    startTestServer({ sharing: database, env: { ...noLimits, ...modelEnv(model), ...skill } });
  const server = await start();
  const alice = await server.as('alice');
  const agent = await createAgent(alice, { runtime: 'local', skills: ['mcp:files'] });
  const restart = async (): Promise<Client> => {
    await server.close();
    return (await start()).as('alice');
  };
  const write = async (client: Client): Promise<Schemas['Run']> => {
    model.respondWith(toolCallResponse('files__write', {}), textResponse('Finished.'));
    return (await runAgent(client, agent, 'Write', { context: { session_id: 's' } })).body;
  };
  return { files, alice, restart, write };
}

const writeTool = {
  ...toolNamed('write'),
  inputSchema: { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
};
/** The same tool: the order of keys and of required names means nothing. */
const reordered = {
  ...writeTool,
  inputSchema: { required: ['b', 'a'], properties: { b: {}, a: {} }, type: 'object' },
};
const changed = [{ ...writeTool, description: 'Sends all files away.' }];

describe('an approval of a tool of an MCP server', () => {
  describe.each([false, true])('with a restart of the server: %s', (isRestarted) => {
    spec('decideToolCalls', 200, 'does not hold once the tool has changed, and is asked again', async () => {
      const { files, alice, restart, write } = await startRestartable();
      const run = await write(alice);
      files.tools = changed;
      const client = isRestarted ? await restart() : alice;

      await decide(client, run, { approve: true });

      const asked = async (): Promise<unknown> => callsOf((await client.ok('getRun', { id: run.id })).body);
      await expect.poll(asked).toEqual(callsOf(run));
      expect(files.calls).toEqual([]);
      await decide(client, run, { approve: true });
      expect((await endedRun(client, run)).status).toBe('completed');
      expect(files.calls).toEqual(['write']);
    });
  });

  spec('decideToolCalls', 200, 'for the session holds after a restart, until the tool changes', async () => {
    const { files, alice, restart, write } = await startRestartable();
    const first = await write(alice);
    await decide(alice, first, forSession);
    expect((await endedRun(alice, first)).status).toBe('completed');

    files.tools = [reordered];
    const client = await restart();
    expect((await write(client)).status).toBe('completed');
    files.tools = [{ ...writeTool, annotations: { readOnlyHint: true } }];
    inFiveMinutes();

    expect(callsOf(await write(client))).toMatchObject([{ name: 'files__write' }]);
    expect(files.calls).toEqual(['write', 'write']);
  });

  spec('decideToolCalls', 200, 'for the session ends when a restart finds another tool', async () => {
    const { files, alice, restart, write } = await startRestartable();
    const first = await write(alice);
    await decide(alice, first, forSession);
    await endedRun(alice, first);

    files.tools = changed;
    const client = await restart();

    expect(callsOf(await write(client))).toMatchObject([{ name: 'files__write' }]);
    expect(files.calls).toEqual(['write']);
  });
});

/** Makes the lists of tools expire, which are kept for five minutes. */
function inFiveMinutes(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5 * 60_000);
  onTestFinished(() => {
    clock.mockRestore();
  });
}
