import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../../../server/src/contract/operation.ts';
import { runAgent, startRun } from '../../../support/agents.ts';
import {
  toolCallResponse,
  errorResponse,
  textResponse,
  chunksResponse,
  type ModelResponse,
} from '../../../support/model-server.ts';
import { freePort } from '../../../support/free-port.ts';
import { sharedServer } from '../../../support/server.ts';
import { spec } from '../../../support/spec.ts';
import { startWithModel } from '../../../support/with-model.ts';

const { model, alice, agent } = await startWithModel({}, {}, { agents: { stepsMax: 3 } });

const malformed = /was incomplete or malformed/;
const noSuchPath =
  /status 404\. The operator should check AGENT_RUNTIME_<NAME>_URL \(with \/v1\) and _MODEL\./;
const longError = errorResponse(400, {}, { error: `context length ${'x'.repeat(65_536)}` });
const failures: readonly (readonly [string, ModelResponse, RegExp])[] = [
  ['rejects the key', errorResponse(401), /rejected this server's key/],
  ['fails', errorResponse(400), /responded with status 400/],
  ['sends an error of more than 64 KiB', longError, /responded with status 400/],
  ['refuses the content', errorResponse(403), /status 403\. It refuses .* or the content of the request\./],
  ['has no such path or model', errorResponse(404), noSuchPath],
  [
    'redirects',
    errorResponse(307, { Location: sharedServer().url }),
    /redirects to another address\. The operator should check AGENT_RUNTIME_<NAME>_URL\./,
  ],
  ['sends malformed chunks', chunksResponse({ nonsense: true, choices: 'none' }), malformed],
  ['sends HTML instead of a stream', (response) => response.end('<html>'), malformed],
  ['always requests another tool call', toolCallResponse('list_tasks', {}), /did not finish within 3 steps/],
];

describe.each(failures)('a model server that %s', (name, response, sentence) => {
  spec('runAgent', 200, 'fails the run with a sentence, and the session can be used again', async () => {
    const context = { session_id: name.replaceAll(' ', '-') };
    model.respondWith(response);
    const { body } = await runAgent(alice, agent, 'Hi', { context });
    const { body: session } = await alice.ok('getSession', { id: context.session_id });
    model.respondWith(textResponse('Back again.'));
    const again = await runAgent(alice, agent, 'Hi again', { context });

    expect(body).toMatchObject({ status: 'failed', output: null, session_id: context.session_id });
    expect(body.error?.message).toMatch(sentence);
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|a-secret-key|message of the model server/);
    expect(session).toMatchObject({ status: 'failed', run: { id: body.id, status: 'failed' } });
    expect(again.body.output).toBe('Back again.');
  });
});

spec('runAgent', 200, 'after its last step, a model answers without tools, and the run says so', async () => {
  const call = toolCallResponse('list_tasks', {});
  model.respondWith(call, call, call, textResponse('So far, two tasks.'));

  const { body } = await runAgent(alice, agent, 'Hi');

  expect(body).toMatchObject({ output: 'So far, two tasks.', incomplete_details: { reason: 'max_steps' } });
  expect(model.requests.map(({ tools }) => tools !== undefined)).toEqual([true, true, true, false]);
});

const refusals: readonly (readonly [Schemas['RunError']['code'], number, object | string])[] = [
  ['context_length_exceeded', 400, { code: 'context_length_exceeded', message: 'Too many tokens.' }],
  ['context_length_exceeded', 400, { message: 'exceeds the available context size (4096 tokens)' }],
  ['context_length_exceeded', 413, 'Payload Too Large'],
  ['context_length_exceeded', 400, { message: "This model's maximum context length is 8192 tokens." }],
  ['tools_not_supported', 400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
  ['tools_not_supported', 404, 'No endpoints found that support tool use.'],
  ['tools_not_supported', 422, 'Function calling is not enabled for models/gemma-3-27b-it'],
  ['tools_not_supported', 500, { message: 'tools param requires --jinja flag' }],
  ['insufficient_quota', 429, { code: 'insufficient_quota', message: 'No.' }],
  ['insufficient_quota', 429, { message: 'You exceeded your current quota.' }],
  ['insufficient_quota', 402, 'Payment Required'],
  ['model_not_found', 404, { code: 'model_not_found', message: 'The model does not exist.' }],
  ['model_not_found', 404, 'model "qwen9" not found, try pulling it first'],
];

describe.each(refusals)('a model server that refuses with %s (%i %j)', (code, status, error) => {
  spec('runAgent', 200, 'gives the failed run a code and a sentence of this server', async () => {
    const refuse = errorResponse(status, { 'Retry-After': '0' }, { error });
    model.respondWith((response, request) => {
      const isAnswered = code === 'tools_not_supported' && request.tools === undefined;
      (isAnswered ? textResponse('Hi.') : refuse)(response, request);
    });

    const { body } = await runAgent(alice, agent, 'Hi');

    expect(body.error?.code).toBe(code);
    expect(body.error?.message).toMatch(/^The (?:conversation|model|quota).*\.$/);
  });
});

const unusable = { AGENT_RUNTIME_LOCAL_URL: 'http://127.0.0.1:1/v1' };
const absent: readonly (readonly [string, Record<string, string>, object, code: string, RegExp])[] = [
  ['is silent for the time of a run', {}, { runMs: 300 }, 'timeout', /limit of this server\./],
  ['is silent for the time of a step', {}, { stepMs: 300 }, 'runtime_error', /limit of a step\./],
  ['has no usable address', unusable, {}, 'runtime_error', /The model server cannot be reached\./],
];

describe.each(absent)('a model server that %s', (_name, env, agents, code, sentence) => {
  spec('runAgent', 200, 'fails the run with a code and a sentence', async () => {
    const other = await startWithModel(env, {}, { agents });

    const { body } = await runAgent(other.alice, other.agent, 'Hi');

    expect(body.error?.message).toMatch(sentence);
    const { body: session } = await other.alice.ok('getSession', { id: body.session_id });
    expect(session.run?.error?.code).toBe(code);
  });
});

spec('runAgent', 202, 'a request waits no longer than it prefers', async () => {
  model.respondWith(() => undefined);

  const context = { session_id: 'patient' };
  const { status, headers } = await runAgent(alice, agent, 'Hi', { context, headers: { Prefer: 'wait=0' } });

  expect(status).toBe(202);
  expect(headers.get('Preference-Applied')).toBe('wait=0');
  expect((await alice.ok('getSession', { id: 'patient' })).body.status).toBe('running');
});

const log: string[] = [];
const logged = await startWithModel({}, {}, { agents: { stepsMax: 1 } }, log);
const closedPort = await freePort();

describe('the log line of a failed run', () => {
  it('names the code and the reason, even if the server has ended the run', async () => {
    logged.model.respondWith(toolCallResponse('list_tasks', {}));

    await runAgent(logged.alice, logged.agent, 'Hi');

    const line = log.find((each) => each.includes('a run failed'));
    const reason = 'The run did not finish within 1 steps of its model.';
    expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 40, code: 'max_steps', reason, user: 'alice' });
  });

  it.each([
    ['refuses the connection', `http://127.0.0.1:${closedPort}/v1`, /ECONNREFUSED/],
    ['has no TLS', model.url.replace('http', 'https'), /SSL/],
  ])('follows a line with the reason if the server %s', async (_name, url, code) => {
    const lines: string[] = [];
    const away = await startWithModel({ AGENT_RUNTIME_LOCAL_URL: url }, {}, {}, lines);

    await startRun(away.alice, away.agent, 'Hi');

    await expect.poll(() => lines.find((line) => line.includes('a run waits'))).toMatch(code);
    expect(lines.join('')).not.toContain('127.0.0.1');
  });

  it('has the error of the model server, but neither its address nor the key', async () => {
    const before = log.length;
    for (const response of [
      errorResponse(400),
      chunksResponse({ error: { message: 'You sent a-secret-key' } }),
      chunksResponse({ error: { message: `${'x'.repeat(1020)}a-secret-key` } }),
    ]) {
      logged.model.respondWith(response);
      await runAgent(logged.alice, logged.agent, 'Hi');
    }

    const lines = log.slice(before).filter((line) => line.includes('a run failed'));

    const parts = ['status 400: x a message of the model server', 'You sent …', 'xx…'];
    expect(lines).toHaveLength(3);
    for (const [i, part] of parts.entries()) expect(lines[i]).toContain(part);
    expect(lines.join('')).not.toContain('stack');
    expect(log.join('')).not.toMatch(/a-secret-key|127\.0\.0\.1/);
  });

  it('has the id of the request that started the run, whose line has the id of the run', async () => {
    const before = log.length;
    logged.model.respondWith(errorResponse(400));

    const headers = { 'X-Request-Id': 'from-a-client' };
    const { body: run } = await runAgent(logged.alice, logged.agent, 'Hi', { headers });

    const line = (text: string): unknown =>
      JSON.parse(log.slice(before).find((each) => each.includes(text)) ?? '{}');
    const ids = { request_id: 'from-a-client', run_id: run.id, session_id: run.session_id, user: 'alice' };
    await expect.poll(() => line('"operation":"runAgent"')).toMatchObject({ ...ids, status: 200 });
    expect(line('a run failed')).toMatchObject({ ...ids, level: 40, runtime: 'local' });
  });
});
