import { expect } from 'vitest';
import type { Schemas } from '../../../../server/src/operation.ts';
import { endedRun, messagesOf } from '../../../support/agents.ts';
import type { Client } from '../../../support/client.ts';
import { startModelServer, textResponse, toolCallResponse } from '../../../support/model-server.ts';
import {
  startScriptedMcpServer,
  toolNamed,
  type ScriptedMcpServer,
} from '../../../support/scripted-mcp-server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithMcpSkill } from '../../../support/with-mcp-skill.ts';

const model = await startModelServer();

interface CallInFlight {
  readonly files: ScriptedMcpServer;
  readonly alice: Client;
  readonly run: Schemas['Run'];
}

/** Starts a run, and waits until its model has called a tool whose server does not answer. */
async function callInFlight(tool: object, runMs?: number): Promise<CallInFlight> {
  const files = await startScriptedMcpServer([tool], () => undefined);
  const { alice, agent } = await startWithMcpSkill(model, files, {
    changes: runMs === undefined ? {} : { agents: { runMs } },
  });
  model.respondWith(toolCallResponse('files__write', {}), textResponse('Finished.'));
  const request = { id: agent.id, body: { input: 'Write' }, headers: { Prefer: 'respond-async' } };
  const { body: run } = await alice.ok('runAgent', request);
  await expect.poll(() => files.calls).toEqual(['write']);
  return { files, alice, run };
}

async function resultOf({ alice, run }: CallInFlight): Promise<string | undefined> {
  const messages = await messagesOf(alice, run.session_id);
  return messages.find(({ role }) => role === 'tool')?.content;
}

spec('cancelRun', 200, 'a call that has begun is not said to have been left out', async () => {
  const writing = await callInFlight(toolNamed('write'));
  const { body: cancelled } = await writing.alice.ok('cancelRun', { id: writing.run.id });

  expect(cancelled.status).toBe('cancelled');
  expect(await resultOf(writing)).toMatch(/cancelled during this call\. The outcome of this call is unknown/);
});

spec('getRun', 200, 'a call that is made when the run exceeds its time limit has a result', async () => {
  const writing = await callInFlight(toolNamed('write'), 4000);

  const ended = await endedRun(writing.alice, writing.run);

  expect([ended.status, ended.error?.code]).toEqual(['failed', 'timeout']);
  expect(await resultOf(writing)).toMatch(/did not answer in time\. The outcome of this call is unknown/);
});
