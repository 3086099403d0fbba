import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endedRun, runAgent, startRun, toolResults } from '../../../support/agents.ts';
import { metricOf } from '../../../support/metrics.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../../support/model-server.ts';
import { spec } from '../../../support/spec.ts';
import { runWithCall, startWithFiles, startWithMcpSkill } from '../../../support/with-mcp-skill.ts';
import { callsOf, decide } from '../../../support/approvals.ts';
import type { Client } from '../../../support/client.ts';
import { startScriptedMcpServer, toolNamed } from '../../../support/scripted-mcp-server.ts';
import { createDatabase } from '../../../support/server.ts';

const model = await startModelServer();

/** Starts a run, and waits until its model has called a tool whose server does not answer. */
async function callInFlight(runMs?: number) {
  const changes = runMs === undefined ? {} : { agents: { runMs } };
  const skill = await startWithFiles(model, { respond: () => undefined, changes });
  model.respondWith(toolCallResponse('files__write', {}), textResponse('Finished.'));
  const run = await startRun(skill.alice, skill.agent, 'Write');
  await expect.poll(() => skill.files.calls).toEqual(['write']);
  const resultOf = async () => (await toolResults(skill.alice, run.session_id))[0]?.content;
  return { run, resultOf, alice: skill.alice, files: skill.files };
}

describe('a call of a tool of an MCP server that has begun', () => {
  spec('cancelRun', 200, 'has an unknown outcome when the run is cancelled', async () => {
    const { run, resultOf, alice, files } = await callInFlight();
    const { body: cancelled } = await alice.ok('cancelRun', { id: run.id });

    expect(cancelled.status).toBe('cancelled');
    await expect.poll(() => files.notifications).toContain('notifications/cancelled');
    expect(await resultOf()).toMatch(/ended during this call\. The outcome of this call is unknown/);
  });

  spec('getRun', 200, 'has a result when the run exceeds its time limit', async () => {
    const { run, resultOf, alice } = await callInFlight(4000);

    const ended = await endedRun(alice, run);

    expect([ended.status, ended.error?.code]).toEqual(['failed', 'timeout']);
    expect(await resultOf()).toMatch(/did not answer in time\. The outcome of this call is unknown/);
  });
});

it('/metrics counts requests to model servers and failures of MCP servers', async () => {
  const skill = await startWithFiles(model, { respond: (response) => response.destroy() });
  const { server, alice, agent } = skill;
  const counts = () =>
    Promise.all([
      ...['answered', 'unavailable', 'failed'].map((outcome) =>
        metricOf(server, `agent_model_calls_total{runtime="local",outcome="${outcome}"}`),
      ),
      metricOf(server, 'agent_mcp_failures_total{skill="mcp:files"}'),
    ]);
  expect(await counts()).toEqual([0, 0, 0, 0]);

  await runWithCall(skill, 'files__write');
  model.respondWith((response) => response.writeHead(503).end(), textResponse('Done.'));
  await runAgent(alice, agent, 'Again');
  model.respondWith((response) => response.writeHead(400).end('{}'));
  await runAgent(alice, agent, 'Fail');

  expect(await counts()).toEqual([3, 1, 1, 1]);
});

const forSession = { approve: true, scope: 'session' } as const;

async function startRestartable() {
  const files = await startScriptedMcpServer([writeTool]);
  const options = { sharing: await createDatabase(), env: { MCP_SKILL_FILES_APPROVAL: '' } };
  const { server, alice, agent } = await startWithMcpSkill(model, files, options);
  /** Restarts the server, so that it lists the tools of its MCP server again. */
  const restart = async () => {
    await server.close();
    return (await startWithMcpSkill(model, files, options)).alice;
  };
  /** Runs the agent, whose model calls the tool `write`. */
  const write = async (client: Client) => {
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
    spec('decideToolCalls', 200, 'does not hold for a changed tool, and is asked for again', async () => {
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
});

/** Makes the lists of tools expire, which are kept for five minutes. */
function inFiveMinutes(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 5 * 60_000);
  onTestFinished(() => {
    clock.mockRestore();
  });
}
