import { beforeAll, describe, expect, it } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent, runAgent } from '../../support/agents.ts';
import type { Client } from '../../support/client.ts';
import {
  callsTool,
  modelEnv,
  refuses,
  says,
  streams,
  type ModelAnswer,
  type ModelServer,
} from '../../support/model-server.ts';
import { startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

let model: ModelServer;
let alice: Client;
let agent: Schemas['Agent'];

beforeAll(async () => {
  ({ model, alice, agent } = await startWithModel());
});

const failures: readonly (readonly [string, ModelAnswer, RegExp])[] = [
  ['refuses the key', refuses(401), /refuses this server's key/],
  ['fails', refuses(400), /answered with status 400/],
  [
    'has no such path or model',
    refuses(404),
    /status 404\. The operator should check AGENT_RUNTIME_<NAME>_URL \(with \/v1\) and _MODEL\./,
  ],
  ['sends nonsense', streams({ nonsense: true, choices: 'none' }), /sent nonsense/],
  ['sends no stream', (response) => response.end('<html>'), /sent nonsense/],
  ['never comes to an end of its steps', callsTool('list_tasks', {}), /not done after 3 steps/],
];

describe.each(failures)('a model server that %s', (name, answer, sentence) => {
  spec('runAgent', 500, 'fails the run with a sentence, and the session can be used again', async () => {
    const context = { session_id: name.replaceAll(' ', '-') };
    model.answers(answer);
    const { body } = await alice.fails('runAgent', 500, { id: agent.id, body: { input: 'Hi', context } });
    const { body: session } = await alice.ok('getSession', { id: context.session_id });
    model.answers(says('Back again.'));
    const again = await runAgent(alice, agent, 'Hi again', { context });

    expect(body).toMatchObject({ code: 'Server Error', session_id: context.session_id });
    expect(body.detail).toMatch(sentence);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|a-secret-key|message of the model server/);
    expect(session).toMatchObject({ status: 'failed', run: { id: body.run_id, status: 'failed' } });
    expect(again.body.output).toBe('Back again.');
  });
});

describe('a model server that is slow', () => {
  it('has its run failed when the time of a run is over', async () => {
    const server = await startTestServer({ env: { ...modelEnv(model), AGENT_RUN_TIMEOUT_MS: '300' } });
    const bob = await server.as('bob');
    const slow = await createAgent(bob, { runtime: 'local' });
    model.answers(() => undefined);

    const { body } = await bob.fails('runAgent', 500, { id: slow.id, body: { input: 'Hi' } });

    expect(body.detail).toMatch(/The run took longer than this server allows\./);
    const { body: session } = await bob.ok('getSession', { id: body.session_id ?? '' });
    expect(session.run?.error?.code).toBe('timeout');
  });

  it('has its run failed when the time of a step is over', async () => {
    const server = await startTestServer({ env: { ...modelEnv(model), AGENT_STEP_TIMEOUT_MS: '300' } });
    const bob = await server.as('bob');
    const slow = await createAgent(bob, { runtime: 'local' });
    model.answers(() => undefined);

    const { body } = await bob.fails('runAgent', 500, { id: slow.id, body: { input: 'Hi' } });

    expect(body.detail).toMatch(/The model did not answer in the time it is given\./);
  });

  spec('runAgent', 202, 'keeps nobody waiting longer than they prefer', async () => {
    model.answers(() => undefined);

    const answer = await runAgent(alice, agent, 'Hi', {
      context: { session_id: 'patient' },
      headers: { Prefer: 'wait=0' },
    });

    expect(answer.status).toBe(202);
    expect(answer.headers.get('Preference-Applied')).toBe('wait=0');
    expect((await alice.ok('getSession', { id: 'patient' })).body.status).toBe('running');
  });
});

describe('a model server that is down', () => {
  spec('runAgent', 500, 'fails the run with a sentence', async () => {
    const env = { ...modelEnv(model), AGENT_RUNTIME_LOCAL_URL: 'http://127.0.0.1:1/v1' };
    const server = await startTestServer({ env });
    const bob = await server.as('bob');
    const lost = await createAgent(bob, { runtime: 'local' });

    const { body } = await bob.fails('runAgent', 500, { id: lost.id, body: { input: 'Hi' } });

    expect(body.detail).toMatch(/The model server cannot be reached\./);
  });
});

describe('the log of runs that failed', () => {
  it('holds the kind of failure, and neither the address of the model server nor what it said', async () => {
    const log: string[] = [];
    const server = await startTestServer({ env: modelEnv(model), log });
    const bob = await server.as('bob');
    const failing = await createAgent(bob, { runtime: 'local' });
    const run = { id: failing.id, body: { input: 'Hi' } };
    for (const answer of [refuses(400), streams({ error: { message: 'You sent a-secret-key' } })]) {
      model.answers(answer);
      await bob.fails('runAgent', 500, run);
    }

    const lines = log.filter((line) => line.includes('a run failed'));

    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('AI_APICallError, status 400');
    expect(log.join('')).not.toMatch(/message of the model server|a-secret-key|127\.0\.0\.1/);
  });
});
