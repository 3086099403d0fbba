import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operationOf } from '../../support/contract.ts';
import { sendRaw } from '../../support/raw.ts';
import { operationIds, unknownId as id } from '../../support/requests.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const server = sharedServer();

const alice = await server.as('alice');
const authorization = `Authorization: Bearer ${await server.token('alice')}`;
const withBody = operationIds.filter((operation) => operationOf(operation).requestBody !== undefined) as (
  'createTask' | 'renderSvg'
)[];
// Leaves out operations on charts, which have other limits and codes.
const ofRecords = withBody.filter((operation) => !/^render|^linkChart/.test(operation));

const notObjects = ['{"title": ', '{title: 1}', 'hello', '"text"', '5', 'null', '{}garbage', '\u00a0{}'];

describe.each(ofRecords)('the body of %s', (operation) => {
  spec(operation, 400, 'is refused if it is not a JSON object', async () => {
    for (const body of notObjects) {
      const { body: problem } = await alice.fails(operation, 400, { id, body });

      const detail = 'The body is not a JSON object. Check its syntax.';
      expect(problem, body).toMatchObject({ code: 'Bad Request', error: 'Bad Request', detail });
    }
    const { body } = await alice.fails(operation, 400, { id, body: [] });
    expect(body.errors).toEqual([{ pointer: '', code: 'wrong_type', detail: 'The body must be an object.' }]);
  });
});

describe.each(withBody)('the body of %s', (operation) => {
  spec(operation, 415, 'is refused as another type than JSON, even if it is JSON', async () => {
    for (const type of ['text/plain', 'multipart/form-data', 'x', 'application/json; charset=iso-8859-1']) {
      const input = { id, body: { title: 'x' }, headers: { 'Content-Type': type } };

      expect((await alice.fails(operation, 415, input)).body.code).toBe('Unsupported media type');
    }
  });

  spec(operation, 413, 'is refused above 1 MiB', async () => {
    const body = { title: 'x', x: 'x'.repeat(1024 * 1024) };

    expect((await alice.fails(operation, 413, { id, body })).body.code).toBe('Payload too large');
  });
});

describe('a body', () => {
  spec('createTask', 201, 'of just under 1 MiB is read', async () => {
    await alice.ok('createTask', { body: { title: 'x', x: 'x'.repeat(1024 * 1024 - 100) } });
  });

  spec('createTask', 201, 'may be of a +json type, with a charset, in capital letters', async () => {
    const types = ['application/json; charset=utf-8', 'application/merge-patch+json', 'Application/JSON'];
    for (const type of types)
      await alice.ok('createTask', { body: { title: 'x' }, headers: { 'Content-Type': type } });
  });

  spec('createTask', 400, 'with text that cannot be stored is refused, keys included', async () => {
    const body = { title: 'x', other: [{ 'a\0': 1 }, '\udc00'] };

    const { body: problem } = await alice.fails('createTask', 400, { body });

    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/other/0/a']);
  });

  it('is requested by 100 Continue only if it will be read', async () => {
    const head = `POST /api/tasks HTTP/1.1\r\nHost: x\r\n${authorization}\r\nConnection: close`;
    const expecting = `${head}\r\nExpect: 100-continue\r\nContent-Length:`;

    const wanted = await sendRaw(server.url, `${expecting} 13\r\n\r\n{"title":"x"}`);
    const unwanted = await sendRaw(server.url, `${expecting} 9999999\r\n\r\n`);

    expect(unwanted).toMatch(/^HTTP\/1\.1 413 /);
    expect(wanted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
  });

  it.each([
    ['of a known length', 'Content-Length: 13', '{"title":"x"}'],
    ['in chunks', 'Transfer-Encoding: chunked', '8\r\n{"title"\r\n5\r\n:"x"}\r\n0\r\n\r\n'],
  ])('%s without a Content-Type is read as JSON', async (_what, header, body) => {
    const head = `POST /api/tasks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization}\r\n${header}`;

    expect(await sendRaw(server.url, `${head}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 201 /);
  });
});

const encodings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  ...{ gzip: gzipSync, GZIP: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotliCompressSync },
  identity: (bytes) => bytes,
};

describe.each(Object.entries(encodings))('a body in the encoding %s', (encoding, pack) => {
  it('is decoded, and may contain the replacement character and begin with a byte order mark', async () => {
    const answer = await create(encoding, pack(Buffer.from('\ufeff{"title":"\ufffd, as it was meant"}')));

    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ task: { title: '\ufffd, as it was meant' } });
  });

  it.each(['ff', 'c080', 'f09fa5', 'eda080'])('is refused if its bytes are not UTF-8: %s', async (bytes) => {
    const text = Buffer.concat([Buffer.from('{"title":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')]);

    const answer = await create(encoding, pack(text));

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      detail: expect.stringContaining('The body is not UTF-8.'),
    });
  });
});

it('a body that is a small gzip of a huge text is refused before all of it is decoded', async () => {
  expect((await create('gzip', gzipSync(Buffer.alloc(50 * 1024 * 1024, ' ')))).status).toBe(413);
});

it('a body in an unknown encoding is 415', async () => {
  expect((await create('rot13', Buffer.from('{}'))).status).toBe(415);
});

async function create(encoding: string, body: Buffer): Promise<Response> {
  const headers = {
    Authorization: authorization.slice('Authorization: '.length),
    'Content-Encoding': encoding,
  };
  return fetch(`${server.url}/api/tasks`, { method: 'POST', headers, body: new Uint8Array(body) });
}
