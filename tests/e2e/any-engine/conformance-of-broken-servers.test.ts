import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { noLimits } from '../../support/agents.ts';
import { runConformance, runConformanceScript } from '../../support/conformance.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { editJson, startSpoilingProxy, type Spoil } from '../../support/spoiling-proxy.ts';

/** Servers that each break one promise, and the file of tests/conformance/ that detects it. */
const spoils: Readonly<Record<string, Spoil & { readonly file: string }>> = {
  'an undocumented status': {
    file: 'tasks',
    response: (response) => {
      if (response.status === 201) response.status = 200;
    },
  },
  'a missing header': {
    file: 'refusals',
    response: ({ headers }) => {
      headers.delete('X-Request-Id');
    },
  },
  'a missing field': {
    file: 'charts-and-agents',
    response: (response) => {
      if (response.request.path.startsWith('/v1/runs/') && response.status === 200)
        editJson(response, (body) => Reflect.deleteProperty(body, 'usage'));
    },
  },
  'a field of another type': {
    file: 'charts-and-agents',
    response: (response) => {
      if (response.request.path === '/api/v1/viz') editJson(response, (body) => (body['renders'] = 'svg'));
    },
  },
  'an undocumented field': {
    file: 'tasks',
    response: (response) => {
      if (response.status === 404) editJson(response, (body) => (body['stack'] = 'at'));
    },
  },
  'another media type': {
    file: 'refusals',
    response: ({ headers, status }) => {
      if (status >= 400) headers.set('Content-Type', 'application/json');
    },
  },
  'a Location that leads nowhere': {
    file: 'tasks',
    response: ({ headers }) => {
      if (headers.has('Location')) headers.set('Location', '/api/tasks/none');
    },
  },
  'a picture that is none': {
    file: 'charts-and-agents',
    response: (response) => {
      if (response.headers.get('Content-Type') === 'image/png') response.body = Buffer.from('none');
    },
  },
  'a stream without its end': {
    file: 'charts-and-agents',
    response: (response) => {
      if (response.headers.get('Content-Type')?.startsWith('text/event-stream') === true)
        response.body = Buffer.from(response.body.toString().split('event: run.completed')[0] ?? '');
    },
  },
  'no idempotency': {
    file: 'tasks',
    request: ({ headers }) => {
      delete headers['idempotency-key'];
    },
  },
  'no If-Match': {
    file: 'tasks',
    request: ({ headers }) => {
      delete headers['if-match'];
    },
  },
  'no filters': {
    file: 'tasks',
    request: (request) => {
      request.path = request.path.replace(/status=todo/, '');
    },
  },
  'no cursors': {
    file: 'tasks',
    request: (request) => {
      request.path = request.path.replace(/([?&])cursor=[^&]*/, '$1');
    },
  },
  'parameters that are ignored': {
    file: 'refusals',
    request: (request) => {
      request.path = request.path.replace('?conformance=1', '');
    },
  },
};

describe.concurrent('conformance', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: noLimits });
  });

  /** The tokens of two new users. Each command needs its own, because it deletes what its user has made. */
  function newUsers(): Promise<[string, string]> {
    return Promise.all([server.token(randomUUID()), server.token(randomUUID())]);
  }

  it.each(Object.entries(spoils))('fails for %s', async (_what, { file, ...spoil }) => {
    const url = await startSpoilingProxy(server.url, spoil);

    const { code, output } = await runConformance({ url, tokens: await newUsers(), file });

    expect(output).toMatch(/^ FAIL /m);
    expect(code).toBe(1);
  });

  it.each([
    ['accepts anybody', false, 'refusals'],
    ['shows another user everything', true, 'tasks'],
  ])('fails for a server that %s', async (_what, isForOthers, file) => {
    const [alice, bob] = await newUsers();
    const url = await startSpoilingProxy(server.url, {
      request: ({ headers }) => {
        const sent = headers['authorization'];
        const isReplaced = isForOthers ? sent === `Bearer ${bob}` : sent === undefined;
        if (isReplaced) headers['authorization'] = `Bearer ${alice}`;
      },
    });

    const { code, output } = await runConformance({ url, tokens: [alice, bob], file });

    expect(output).toMatch(/^ FAIL /m);
    expect(code).toBe(1);
  });

  it.each([
    [['--token', 't'], /Name the server with --url/],
    [['--url', 'http://127.0.0.1:1'], /Name the token of a user/],
    [['--urk', 'x'], /Unknown option '--urk'/],
  ])('%j is refused with a sentence', async (options, sentence) => {
    const { code, output } = await runConformanceScript(options);

    expect(code).toBe(1);
    expect(output).toMatch(sentence);
  });
});
