import { describe, expect, it } from 'vitest';
import { request, responseTo, sendRaw } from '../../support/raw.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();

describe.each([
  [
    400,
    'Bad Request',
    ['/api/tasks/%zz', '/api/tasks/%', '/api/tasks/%ff', '/api/tasks/%c0%af', '/api/tasks/%E0%A4%A'],
  ],
  [
    404,
    'Not found',
    ['/', '/api', '/api/task', '/api/tasks/1/2/3', '/api/tasks//comments', '/..%2f..%2fetc/passwd', '//'],
  ],
] as const)('%i', (status, code, paths) => {
  it.each(paths)('is the answer to the path %s without a token, as problem details', async (path) => {
    const answer = await request(server.url, `GET ${path}`);

    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
    expect(JSON.parse(answer.body)).toMatchObject({ code });
  });
});

describe('a request target', () => {
  it.each(
    ['/%2e/metrics', '/./metrics', '/api/../metrics'].flatMap((target) => [target, `http://x${target}`]),
  )('is taken as it is, so %s is not /metrics, whatever a proxy forwards', async (target) => {
    expect((await request(server.url, `GET ${target}`)).status).toBe(404);
  });

  it.each(['http://x/healthz', 'HTTPS://x/healthz?a=b'])('as a URL, %s, selects its path', async (target) => {
    expect((await request(server.url, `GET ${target}`)).status).toBe(200);
  });
});

describe('a request id', async () => {
  const alice = await server.as('alice');

  it('that is well-formed is kept in the header and in the problem', async () => {
    const headers = { 'X-Request-Id': 'abc-123' };

    const answer = await alice.fails('getTask', 404, { id: 'x', headers });

    expect([answer.headers.get('X-Request-Id'), answer.body.request_id]).toEqual(['abc-123', 'abc-123']);
  });

  it.each(['a b', 'x'.repeat(129), '<script>'])('such as "%.20s" is replaced', async (id) => {
    const { headers } = await alice.ok('listTasks', { headers: { 'X-Request-Id': id } });

    expect(headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

const headersForBrowsers = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
};

describe.each([
  ['a success', 'GET', '/api/tasks'],
  ['an unknown task', 'GET', '/api/tasks/none'],
  ['an unknown path', 'GET', '/none'],
  ['an unsupported method', 'PATCH', '/api/tasks'],
  ['OPTIONS', 'OPTIONS', '/api/tasks'],
  ['a probe', 'GET', '/healthz'],
])('the response to %s', (_what, method, path) => {
  it('forbids browsers to load anything, sniff its type or frame it', async () => {
    const authorization = `Authorization: Bearer ${await server.token('alice')}`;

    const { headers } = await request(server.url, `${method} ${path}`, authorization);

    expect(Object.fromEntries(headers)).toMatchObject(headersForBrowsers);
    expect(headers.has('x-powered-by')).toBe(false);
  });
});

const get = 'GET /api/tasks HTTP/1.1\r\n';
const post = 'POST /api/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n';

const encoded = (coding: string): string =>
  `POST /api/tasks HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n`;

/** Heads that Node can read, but the server refuses. */
const refused = [
  [
    400,
    'Bad Request',
    {
      'an absolute target that is not a URL': 'GET http://[::1/api/tasks HTTP/1.1\r\nHost: x\r\n',
      'a fragment': 'GET /api/tasks# HTTP/1.1\r\nHost: x\r\n',
      'a URL of another protocol': 'GET foo://x HTTP/1.1\r\nHost: x\r\n',
      'no Host': get,
      'two Hosts': `${get}Host: x\r\nhost: x\r\n`,
      'two Hosts in HTTP/1.0': 'GET /api/tasks HTTP/1.0\r\nHost: x\r\nHost: y\r\n',
      'a Host that is a list': `${get}Host: x, y\r\n`,
      'a Host with a path': `${get}Host: x/y\r\n`,
      'two tokens': `${get}Host: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n`,
    },
  ],
  [
    431,
    'Headers too large',
    {
      'more than a hundred headers': `GET /openapi.json HTTP/1.1\r\nHost: x\r\n${'X: y\r\n'.repeat(100)}`,
    },
  ],
  [501, 'Not implemented', { 'the Transfer-Encoding gzip, chunked': `${encoded('gzip, chunked')}\r\n0\r\n` }],
] as const;

describe.each(refused)('%i', (status, code, requests) => {
  it.each(Object.entries(requests))('answers a request with %s in problem details', async (_what, head) => {
    const answer = await responseTo(server.url, `${head}\r\n`);

    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...headersForBrowsers,
      'content-type': expect.stringContaining('application/problem+json'),
      'content-length': String(Buffer.byteLength(answer.body)),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      connection: 'close',
    });
    expect(JSON.parse(answer.body)).toMatchObject({ code });
  });
});

it('a request behind a refused head is not executed, not even in the same packet', async () => {
  const authorization = `Authorization: Bearer ${await server.token('pat')}`;
  const create = `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: 13\r\n\r\n{"title":"x"}`;
  const heads = refused.flatMap(([, , requests]) => Object.values(requests));

  for (const head of heads) await sendRaw(server.url, `${create}${head}\r\n${create}`);

  expect((await (await server.as('pat')).ok('listTasks')).body.count).toBe(heads.length);
});

/** Heads that Node cannot read. */
const unreadable: readonly (readonly [status: number, what: string, head: string])[] = [
  [400, 'a line that is not HTTP', 'hello\r\n'],
  [400, 'a letter outside ASCII', 'GET /api/täsks HTTP/1.1\r\nHost: x\r\n'],
  [400, 'a tab in its target', 'GET /api/tasks\t HTTP/1.1\r\nHost: x\r\n'],
  [400, 'two Content-Length headers', `${post}Content-Length: 2\r\n`],
  [400, 'a Content-Length and chunks', `${post}Transfer-Encoding: chunked\r\n`],
  ...['gzip', 'chunked, identity', 'identity', 'xchunked'].map(
    (coding) => [501, `the Transfer-Encoding ${coding}`, encoded(coding)] as const,
  ),
  [431, '20 kB of headers', `${get}Host: x\r\nX: ${'x'.repeat(20_000)}\r\n`],
];

describe.each(unreadable)('%i', (status, what, head) => {
  it(`is the answer to a request with ${what}`, async () => {
    expect((await responseTo(server.url, `${head}\r\n`)).status).toBe(status);
  });

  it(`is not the answer to a complete request in front of one with ${what}`, async () => {
    const authorization = `Authorization: Bearer ${await server.token('alice')}`;
    const list = `GET /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`;

    expect(await sendRaw(server.url, `${list}${head}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

const hosts = ['', 'x', 'x:80', 'x:', '127.0.0.1:3000', '[::1]:3000', 'a_b.example'];

it.each(['0\r\n', ...hosts.map((host) => `1\r\nHost: ${host}\r\nConnection: close\r\n`)])(
  'a request of HTTP/1.%j is answered',
  async (rest) => {
    const head = `GET /healthz HTTP/1.${rest}\r\n`;

    expect((await responseTo(server.url, head)).status).toBe(200);
  },
);
