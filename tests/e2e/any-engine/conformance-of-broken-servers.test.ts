import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { noLimits } from '../../support/agents.ts';
import { runConformance, runConformanceScript } from '../../support/conformance.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { editJson, startSpoilingProxy, type Spoil } from '../../support/spoiling-proxy.ts';

const slow = { timeout: 400_000 };

/** Servers that break one promise each. */
const spoils: Readonly<Record<string, Spoil>> = {
  'an undocumented status': {
    response: (response) => {
      if (response.status === 201) response.status = 200;
    },
  },
  'a missing header': {
    response: ({ headers }) => {
      headers.delete('X-Request-Id');
    },
  },
  'a missing field': {
    response: (response) => {
      if (response.request.path.startsWith('/v1/runs/') && response.status === 200)
        editJson(response, (body) => Reflect.deleteProperty(body, 'usage'));
    },
  },
  'a field of another type': {
    response: (response) => {
      if (response.request.path === '/api/v1/viz') editJson(response, (body) => (body['renders'] = 'svg'));
    },
  },
  'an undocumented field': {
    response: (response) => {
      if (response.status === 404) editJson(response, (body) => (body['stack'] = 'at'));
    },
  },
  'another media type': {
    response: ({ headers, status }) => {
      if (status >= 400) headers.set('Content-Type', 'application/json');
    },
  },
  'a Location that leads nowhere': {
    response: ({ headers }) => {
      if (headers.has('Location')) headers.set('Location', '/api/tasks/none');
    },
  },
  'a picture that is none': {
    response: (response) => {
      if (response.headers.get('Content-Type') === 'image/png') response.body = Buffer.from('none');
    },
  },
  'a stream without its end': {
    response: (response) => {
      if (response.headers.get('Content-Type')?.startsWith('text/event-stream') === true)
        response.body = Buffer.from(response.body.toString().split('event: run.completed')[0] ?? '');
    },
  },
  'no idempotency': {
    request: ({ headers }) => {
      delete headers['idempotency-key'];
    },
  },
  'no If-Match': {
    request: ({ headers }) => {
      delete headers['if-match'];
    },
  },
  'no filters': {
    request: (request) => {
      request.path = request.path.replace(/status=todo/, '');
    },
  },
  'no cursors': {
    request: (request) => {
      request.path = request.path.replace(/([?&])cursor=[^&]*/, '$1');
    },
  },
  'parameters that are ignored': {
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

  /** The tokens of two users whom no other command knows: each command deletes all that its user has made meanwhile. */
  function newUsers(): Promise<[string, string]> {
    return Promise.all([server.token(randomUUID()), server.token(randomUUID())]);
  }

  it('passes through a proxy that changes nothing', slow, async () => {
    const url = await startSpoilingProxy(server.url, {});

    const { code, output } = await runConformance({ url, tokens: await newUsers() });

    expect(code, output).toBe(0);
  });

  it.each(Object.entries(spoils))('fails for %s', slow, async (_what, spoil) => {
    const url = await startSpoilingProxy(server.url, spoil);

    const { code, output } = await runConformance({ url, tokens: await newUsers(), bail: true });

    expect(output).toMatch(/^ FAIL /m);
    expect(code).toBe(1);
  });

  it.each([
    ['accepts anybody', false],
    ['shows another user everything', true],
  ])('fails for a server that %s', slow, async (_what, isForOthers) => {
    const [alice, bob] = await newUsers();
    const url = await startSpoilingProxy(server.url, {
      request: ({ headers }) => {
        const given = headers['authorization'];
        const isReplaced = isForOthers ? given === `Bearer ${bob}` : given === undefined;
        if (isReplaced) headers['authorization'] = `Bearer ${alice}`;
      },
    });

    const { code, output } = await runConformance({ url, tokens: [alice, bob], bail: true });

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
