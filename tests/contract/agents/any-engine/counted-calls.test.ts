import { expect, it } from 'vitest';
import { metricOf } from '../../../support/metrics.ts';
import { startModelServer, textResponse } from '../../../support/model-server.ts';
import { startScriptedMcpServer, toolNamed } from '../../../support/scripted-mcp-server.ts';
import { runAgent } from '../../../support/agents.ts';
import { runWithCall, startWithMcpSkill } from '../../../support/with-mcp-skill.ts';

it('/metrics counts requests to model servers and failures of MCP servers', async () => {
  const model = await startModelServer();
  const files = await startScriptedMcpServer([toolNamed('write')], (response) => response.destroy());
  const { server, alice, agent } = await startWithMcpSkill(model, files);
  const calls = (outcome: string): Promise<number> =>
    metricOf(server, `agent_model_calls_total{runtime="local",outcome="${outcome}"}`);
  const failures = (): Promise<number> => metricOf(server, 'agent_mcp_failures_total{skill="mcp:files"}');
  expect([await calls('answered'), await failures()]).toEqual([0, 0]);

  await runWithCall({ alice, agent }, model, 'files__write');
  model.respondWith((response) => response.writeHead(503).end(), textResponse('Done.'));
  await runAgent(alice, agent, 'Again');
  model.respondWith((response) => response.writeHead(400).end('{}'));
  await runAgent(alice, agent, 'Fail');

  expect(await calls('answered')).toBe(3);
  expect(await calls('unavailable')).toBe(1);
  expect(await calls('failed')).toBe(1);
  expect(await failures()).toBe(1);
});
