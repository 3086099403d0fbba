import { describe, expect, onTestFinished, vi } from 'vitest';
import type { Schemas } from '../../../../server/src/operation.ts';
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

interface Restartable {
  readonly files: ScriptedMcpServer;
  readonly agent: { readonly id: string };
  readonly alice: Client;
  /** Restarts the server, which then lists the tools of its MCP server again. */
  readonly restart: () => Promise<Client>;
}

async function startRestartable(): Promise<Restartable> {
  const files = await startScriptedMcpServer([toolNamed('write')]);
  const database = await createDatabase();
  const skill = { MCP_SKILLS: 'files', MCP_SKILL_FILES_URL: files.url };
  const start = (): Promise<TestServer> =>
    startTestServer({ sharing: database, env: { ...noLimits, ...modelEnv(model), ...skill } });
  const server = await start();
  const alice = await server.as('alice');
  const agent = await createAgent(alice, { runtime: 'local', skills: ['mcp:files'] });
  const restart = async (): Promise<Client> => {
    await server.close();
    return (await start()).as('alice');
  };
  return { files, agent, alice, restart };
}

async function runThatWrites(alice: Client, agent: { readonly id: string }): Promise<Schemas['Run']> {
  model.respondWith(toolCallResponse('files__write', {}), textResponse('Finished.'));
  return (await runAgent(alice, agent, 'Write', { context: { session_id: 's' } })).body;
}

const changed = { ...toolNamed('write'), description: 'Sends all files away.' };

describe('an approval of a tool of an MCP server', () => {
  spec(
    'decideToolCalls',
    200,
    'does not hold for a tool that has changed since the user was asked',
    async () => {
      const { files, agent, alice } = await startRestartable();
      const run = await runThatWrites(alice, agent);
      files.tools = [changed];

      await decide(alice, run, { approve: true });

      const asked = async (): Promise<unknown> =>
        (await alice.ok('getRun', { id: run.id })).body.required_action;
      await expect.poll(asked).toMatchObject({ tool_calls: [{ name: 'files__write' }] });
      expect(files.calls).toEqual([]);
      await decide(alice, run, { approve: true });
      expect((await endedRun(alice, run)).status).toBe('completed');
      expect(files.calls).toEqual(['write']);
    },
  );

  spec('decideToolCalls', 200, 'does not hold after the tool has changed: the call waits again', async () => {
    const { files, agent, alice, restart } = await startRestartable();
    const run = await runThatWrites(alice, agent);
    files.tools = [changed];
    const again = await restart();

    await decide(again, run, { approve: true });

    const asked = async (): Promise<unknown> => callsOf((await again.ok('getRun', { id: run.id })).body);
    await expect.poll(asked).toEqual(callsOf(run));
    expect(files.calls).toEqual([]);
    await decide(again, run, { approve: true });
    expect((await endedRun(again, run)).status).toBe('completed');
    expect(files.calls).toEqual(['write']);
  });

  spec('decideToolCalls', 200, 'for the session holds until the tool changes', async () => {
    const { files, agent, alice, restart } = await startRestartable();
    const first = await runThatWrites(alice, agent);
    await decide(alice, first, { approve: true, scope: 'session' });
    expect((await endedRun(alice, first)).status).toBe('completed');
    expect((await runThatWrites(alice, agent)).status).toBe('completed');

    files.tools = [changed];
    const again = await restart();

    const waiting = await runThatWrites(again, agent);
    expect(callsOf(waiting)).toMatchObject([{ name: 'files__write' }]);
    expect(files.calls).toEqual(['write', 'write']);
  });

  spec(
    'decideToolCalls',
    200,
    'for the session ends when a list after five minutes has another tool',
    async () => {
      const { files, agent, alice } = await startRestartable();
      await decide(alice, await runThatWrites(alice, agent), { approve: true, scope: 'session' });
      await expect.poll(() => files.calls).toEqual(['write']);

      files.tools = [changed];
      const inFiveMinutes = performance.now() + 5 * 60_000;
      const clock = vi.spyOn(performance, 'now').mockReturnValue(inFiveMinutes);
      onTestFinished(() => {
        clock.mockRestore();
      });

      expect(callsOf(await runThatWrites(alice, agent))).toMatchObject([{ name: 'files__write' }]);
      expect(files.calls).toEqual(['write']);
    },
  );

  spec('decideToolCalls', 200, 'for the session holds after a restart', async () => {
    const { files, agent, alice, restart } = await startRestartable();
    const first = await runThatWrites(alice, agent);
    await decide(alice, first, { approve: true, scope: 'session' });
    await endedRun(alice, first);

    const again = await restart();

    expect((await runThatWrites(again, agent)).status).toBe('completed');
    expect(files.calls).toEqual(['write', 'write']);
  });
});
