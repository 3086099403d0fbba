import { once } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sendRaw, sendUnfinished } from '../support/raw.ts';
import { sharedServer } from '../support/server.ts';
import { startMock } from './mock-process.ts';

const server = sharedServer();

const mock = await startMock();

const valid = Buffer.from('{"title":"Buy milk"}');
const type = { 'Content-Type': 'application/json' };
const large = Buffer.from(JSON.stringify({ title: 'x', x: 'x'.repeat(1024 * 1024) }));

function encodedAs(name: string): Record<string, string> {
  return { ...type, 'Content-Encoding': name };
}

type Case = readonly [name: string, status: number, body: Buffer, headers?: Record<string, string>];

const bodies: readonly Case[] = [
  ['JSON', 201, valid],
  ['a charset of UTF-8', 201, valid, { 'Content-Type': 'application/json; charset=utf-8' }],
  ['a +json type', 201, valid, { 'Content-Type': 'application/merge-patch+json' }],
  ['no type', 201, valid, {}],
  ['broken JSON', 400, Buffer.from('{"title": ')],
  ['a text', 400, Buffer.from('hello')],
  ['null', 400, Buffer.from('null')],
  ['an array', 400, Buffer.from('[]')],
  ['no bytes', 400, Buffer.alloc(0)],
  ['blanks', 400, Buffer.from('  \n')],
  ['an empty object', 400, Buffer.from('{}')],
  ['a byte order mark', 201, Buffer.concat([Buffer.from('efbbbf', 'hex'), valid])],
  ['UTF-16', 400, Buffer.from('\ufeff{"title":"x"}', 'utf16le')],
  ['bytes that are not UTF-8', 400, Buffer.from('{"title":"\u00ff"}', 'latin1')],
  ['NUL', 400, Buffer.alloc(10)],
  ['deep nesting', 400, Buffer.from(`{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)],
  ['gzip', 201, gzipSync(valid), encodedAs('gzip')],
  ['deflate', 201, deflateSync(valid), encodedAs('deflate')],
  ['br', 201, brotliCompressSync(valid), encodedAs('br')],
  ['identity', 201, valid, encodedAs('identity')],
  ['zstd', 415, zstdCompressSync(valid), encodedAs('zstd')],
  ['two encodings', 415, gzipSync(gzipSync(valid)), encodedAs('gzip, gzip')],
  ['gzip that is JSON', 400, valid, encodedAs('gzip')],
  ['gzip that is cut off', 400, gzipSync(valid).subarray(0, 20), encodedAs('gzip')],
  ['gzip without its header', 400, gzipSync(valid)],
  ['gzip of broken JSON', 400, gzipSync(Buffer.from('{')), encodedAs('gzip')],
  ['a small gzip of a huge text', 413, gzipSync(Buffer.alloc(50 * 1024 * 1024, ' ')), encodedAs('gzip')],
  ['more than 1 MiB', 413, large],
  ['another charset', 415, valid, { 'Content-Type': 'application/json; charset=iso-8859-1' }],
  ['an unknown charset', 415, valid, { 'Content-Type': 'application/json; charset=x' }],
  ['plain text', 415, valid, { 'Content-Type': 'text/plain' }],
  ['a form', 415, Buffer.from('title=x'), { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['a type that is not one', 415, valid, { 'Content-Type': 'x' }],
  ['a key that is not ASCII', 400, Buffer.from('{"title":1,"\u65e5\u672c":"\u{1f600}"}')],
];

const cases = bodies.map(([name, status, body, headers = type]) => ({ name, status, body, headers }));

describe('a body of', () => {
  it.each(cases)('$name is answered as by the server ($status)', async ({ status, body, headers }) => {
    const answers = await Promise.all([
      post(mock, '/api/tasks', 'any', body, headers),
      post(server.url, '/api/tasks', await server.token('alice'), body, headers),
    ]);

    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    const [mocked, real] = await Promise.all(answers.map(codeOf));
    expect(mocked).toBe(real);
  });

  it('chunks above 1 MiB is refused before it has ended', async () => {
    const head =
      'POST /api/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer any\r\nTransfer-Encoding: chunked';
    const answer = await sendRaw(mock, `${head}\r\n\r\n180000\r\n${'x'.repeat(1024 * 1024 + 10)}`);

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"Payload too large"');
  });

  it('a client that waits for 100 Continue is asked for only if it will be read', async () => {
    const head = 'POST /api/tasks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue';
    const body = 'Content-Length: 13\r\n\r\n{"title":"x"}';

    expect(await sendRaw(mock, `${head}\r\nAuthorization: Bearer any\r\n${body}`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /,
    );
    expect(await sendRaw(mock, `${head}\r\n${body}`)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('a client that leaves before its end does not end the mock', async () => {
    const head = 'POST /api/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer any';
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = await sendUnfinished(mock, head);
      socket.on('error', () => undefined).resume();
      socket[leave]();
      await once(socket, 'close');
    }

    expect((await post(mock, '/api/tasks', 'any', valid, type)).status).toBe(201);
  });
});

describe('a request with a broken body is answered as by the server', () => {
  it.each([
    ['without a token', 'POST', '/api/tasks', '', 401],
    ['at an unknown path', 'POST', '/api/nothing', 'token', 404],
    ['with another method', 'PATCH', '/api/tasks', 'token', 405],
    ['where there is no body to read', 'GET', '/api/tasks', 'token', 200],
  ] as const)('%s', async (_which, method, path, token, status) => {
    const answers = await Promise.all(
      [mock, server.url].map(async (url) => {
        const given = token === '' ? '' : `Authorization: Bearer ${await server.token('alice')}\r\n`;
        const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${given}`;
        return sendRaw(url, `${head}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{`);
      }),
    );

    for (const answer of answers) expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const [mocked, real] = answers.map((answer) => /"code":"[^"]+"/.exec(answer)?.[0]);
    expect(mocked).toBe(real);
  });
});

describe('a page of another origin', () => {
  it('may read a refusal', async () => {
    const response = await post(mock, '/api/tasks', 'any', Buffer.from('{'), {
      ...type,
      Origin: 'http://localhost:5173',
    });

    expect(response.status).toBe(400);
    expect(response.headers.get('Access-Control-Allow-Origin')).toMatch(/^\*$|^http:\/\/localhost:5173$/);
  });
});

describe('a header without a meaning', () => {
  it.each([
    ['Accept', 'x'],
    ['Accept', 'application/json, x'],
    ['Accept', ''],
    ['Accept', 'application/json;q'],
    ['Accept', '/'],
    ['Accept', 'a/b/c'],
    ['Accept', 'image/png;q=x'],
    ['Accept', 'application/json, "'],
    ['Accept', '*/*;q=0'],
    ['Prefer', 'code=100'],
    ['Prefer', 'code=999'],
    ['Prefer', '"'],
    ['Trailer', 'x'],
  ])('%s: %s is ignored', async (name, value) => {
    expect((await post(mock, '/api/tasks', 'any', valid, { ...type, [name]: value })).status).toBe(201);
    expect((await post(mock, '/api/tasks', 'any', valid, type)).status).toBe(201);
  });
});

function post(
  url: string,
  path: string,
  token: string,
  body: Buffer,
  headers: Record<string, string>,
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, ...headers },
    body: new Uint8Array(body),
  });
}

async function codeOf(response: Response): Promise<unknown> {
  return ((await response.json()) as { code?: unknown }).code;
}
