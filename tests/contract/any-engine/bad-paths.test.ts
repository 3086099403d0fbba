import { describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();

describe.each(['/api/tasks/%zz', '/api/tasks/%', '/api/tasks/%ff', '/%c0%af', '/api/tasks/%E0%A4%A'])(
  'the path %s',
  (path) => {
    it('is a 400 without a token', async () => {
      const answer = await sendRaw(
        server.url,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );

      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"Bad Request"');
    });
  },
);

describe.each([
  '/',
  '/api',
  '/api/task',
  '/api/tasks/1/2/3',
  '/api/tasks//comments',
  '/..%2f..%2fetc/passwd',
  '//',
])('the path %s', (path) => {
  it('is a 404 as problem details', async () => {
    const answer = await sendRaw(server.url, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);

    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('application/problem+json');
    expect(answer).toContain('"code":"Not found"');
  });
});

describe('a request target', () => {
  it.each([
    '/%2e/metrics',
    '/./metrics',
    '/api/../metrics',
    'http://x/%2e/metrics',
    'http://x/api/../metrics',
    'http://x/./metrics',
  ])('is taken as it is, so %s is not /metrics, whatever a proxy forwards', async (target) => {
    const answer = await sendRaw(
      server.url,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each(['http://x/healthz', 'HTTPS://x/healthz?a=b'])(
    'in full, %s, is answered like the path',
    async (target) => {
      const answer = await sendRaw(
        server.url,
        `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );

      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});

describe('a request id', () => {
  it('that is well-formed is kept in the header and in the problem', async () => {
    const alice = await server.as('alice');

    const { headers, body } = await alice.fails('getTask', 404, {
      id: 'x',
      headers: { 'X-Request-Id': 'abc-123' },
    });

    expect([headers.get('X-Request-Id'), body.request_id]).toEqual(['abc-123', 'abc-123']);
  });

  it.each(['a b', 'x'.repeat(129), '<script>'])('such as "%.20s" is replaced', async (id) => {
    const alice = await server.as('alice');

    const { headers } = await alice.ok('listTasks', { headers: { 'X-Request-Id': id } });

    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe.each([
  [
    'an absolute target that is not a URL',
    'GET http://[::1/api/tasks HTTP/1.1\r\nHost: x\r\n\r\n',
    400,
    'Bad Request',
  ],
  ['a tab in its target', 'GET /api/tasks\t HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
  ['a letter outside ASCII', 'GET /api/täsks HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
  ['a fragment', 'GET /api/tasks# HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
  ['a URL of another protocol', 'GET foo://x HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'Bad Request'],
  ['no Host', 'GET /api/tasks HTTP/1.1\r\n\r\n', 400, 'Bad Request'],
  ['two Hosts', 'GET /api/tasks HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', 400, 'Bad Request'],
  [
    'two Hosts and an Expect',
    'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nExpect: tea\r\n\r\n',
    400,
    'Bad Request',
  ],
  ['two Hosts in HTTP/1.0', 'GET /api/tasks HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'Bad Request'],
  ['a Host that is a list', 'GET /api/tasks HTTP/1.1\r\nHost: x, y\r\n\r\n', 400, 'Bad Request'],
  ['a Host with a path', 'GET /api/tasks HTTP/1.1\r\nHost: x/y\r\n\r\n', 400, 'Bad Request'],
  [
    'two Content-Length headers',
    'POST /api/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'Bad Request',
  ],
  [
    'a Content-Length and chunks',
    'POST /api/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'Bad Request',
  ],
  ['a line that is not HTTP', 'hello\r\n\r\n', 400, 'Bad Request'],
  [
    '20 kB of headers',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'Headers too large',
  ],
  [
    'more than a hundred headers',
    `GET /openapi.json HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(100)}\r\n`,
    431,
    'Headers too large',
  ],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417, 'Expectation failed'],
] as const)('a request with %s', (_name, text, status, code) => {
  it(`is a ${status} as problem details with a request id`, async () => {
    const answer = await sendRaw(server.url, text);

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('application/problem+json');
    expect(answer).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m);
    expect(answer).toContain(`"code":"${code}"`);
  });
});

describe('a request of HTTP/1.0', () => {
  it.each(['', 'Host: x\r\n', 'Expect: tea\r\n'])(
    'is answered with the headers "%s": it needs no Host, and Expect means nothing',
    async (headers) => {
      const answer = await sendRaw(server.url, `GET /healthz HTTP/1.0\r\n${headers}\r\n`);

      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('is answered without 100 Continue, which that version does not have', async () => {
    const head = `Authorization: Bearer ${await server.token('alice')}\r\nExpect: 100-continue`;
    const answer = await sendRaw(
      server.url,
      `POST /api/tasks HTTP/1.0\r\n${head}\r\nContent-Length: 13\r\n\r\n{"title":"x"}`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('a Host', () => {
  it.each(['', 'x', 'x:80', 'x:', '127.0.0.1:3000', '[::1]:3000', 'a_b.example'])(
    'may be "%s"',
    async (host) => {
      const answer = await sendRaw(
        server.url,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );

      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});
