import { expect, onTestFinished, vi } from 'vitest';
import { endedRun, runAgent } from '../../../support/agents.ts';
import { startModelServer, textResponse } from '../../../support/model-server.ts';
import { startScriptedMcpServer, toolNamed } from '../../../support/scripted-mcp-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithMcpSkill, toolNames } from '../../../support/with-mcp-skill.ts';

const model = await startModelServer();

spec('runAgent', 200, 'does not wait for the tools of a server whose last list failed', async () => {
  const files = await startScriptedMcpServer([toolNamed('read')]);
  const { alice, agent } = await startWithMcpSkill(model, files);
  const run = async (): Promise<string[]> => {
    model.respondWith(textResponse('Finished.'));
    await endedRun(alice, (await runAgent(alice, agent, 'Read')).body);
    return toolNames(model.requests.at(-1));
  };
  expect(await run()).toEqual(['files__read']);

  const clock = vi.spyOn(performance, 'now');
  onTestFinished(() => {
    clock.mockRestore();
  });
  const advance = (minutes: number): unknown => clock.mockReturnValue(performance.now() + minutes * 60_000);
  files.intercept = (_request, response) => response.destroy();
  advance(6);
  expect(await run()).toEqual(['files__read']);
  let unanswered = 0;
  files.intercept = () => (unanswered += 1);
  advance(1);
  expect(await run()).toEqual(['files__read']);
  advance(1);
  expect(await run()).toEqual(['files__read']);

  // Both runs ended before the first list of tools was given up, or there would be a second list.
  expect(unanswered).toBe(1);
});
