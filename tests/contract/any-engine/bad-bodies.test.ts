import { describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { createTask } from '../../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');
const task = await createTask(alice);

describe.each([
  'createTask',
  'updateTask',
  'batchTasks',
  'assignTask',
  'createComment',
  'updateComment',
] as const)('the body of %s', (operation) => {
  describe.each(['{"title": ', '{title: 1}', 'hello', '"text"', '5', 'null', '{}garbage', '\u00a0{}'])(
    '%j',
    (body) => {
      spec(operation, 400, 'is refused because it is not a JSON object', async () => {
        const { body: problem } = await alice.fails(operation, 400, { id: task.id, body });

        expect(problem).toMatchObject({
          code: 'Bad Request',
          error: 'Bad Request',
          detail: 'The body is not a JSON object. Check its syntax.',
        });
      });
    },
  );

  spec(operation, 400, 'is refused when it is an array', async () => {
    const { body } = await alice.fails(operation, 400, { id: task.id, body: [] });

    expect(body.errors).toEqual([{ pointer: '', code: 'wrong_type', detail: 'The body must be an object.' }]);
  });

  spec(operation, 400, 'is refused when it is nested too deeply, even if it is small', async () => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

    const { body } = await alice.fails(operation, 400, { id: task.id, body: `{"x":${nested}}` });

    expect(body.detail).toBe('The body is nested deeper than 64 levels. Flatten it.');
  });

  describe.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'x',
  ])('sent as %s', (type) => {
    spec(operation, 415, 'is refused even if it is JSON', async () => {
      const { body } = await alice.fails(operation, 415, {
        id: task.id,
        body: { title: 'x' },
        headers: { 'Content-Type': type },
      });

      expect(body.code).toBe('Unsupported media type');
    });
  });

  spec(operation, 413, 'is refused above 1 MiB', async () => {
    const body = { title: 'x', x: 'x'.repeat(1024 * 1024) };

    expect((await alice.fails(operation, 413, { id: task.id, body })).body.code).toBe('Payload too large');
  });
});

const zeros = (count: number): string => `[${'0,'.repeat(count - 1)}0]`;

describe('a body', () => {
  spec('createTask', 400, 'with more than 50,000 values is refused, also in ignored fields', async () => {
    const { body } = await alice.fails('createTask', 400, { body: `{"title":"x","x":${zeros(50_000)}}` });

    expect(body.detail).toBe('The body has more than 50000 values. Send fewer.');
  });

  spec('createTask', 201, 'may have values in ignored fields, and any separators in its texts', async () => {
    const description = '",[{}]\\'.repeat(9_000);

    const body = JSON.stringify({ title: 'x', description, x: JSON.parse(zeros(49_000)) as unknown });
    expect((await alice.ok('createTask', { body })).body.task.description).toBe(description);
  });

  spec('createTask', 201, 'of just under 1 MiB is read', async () => {
    await alice.ok('createTask', { body: { title: 'x', x: 'x'.repeat(1024 * 1024 - 100) } });
  });

  spec('createTask', 201, 'may be sent with a charset, or as a +json type', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json']) {
      await alice.ok('createTask', { body: { title: 'x' }, headers: { 'Content-Type': type } });
    }
  });

  spec('createTask', 201, 'may have the keys __proto__ and constructor, which are ignored', async () => {
    const body =
      '{"title":"x","__proto__":{"status":"hacked"},"constructor":{"prototype":{"status":"hacked"}}}';

    expect((await alice.ok('createTask', { body })).body.task.status).toBe('todo');
  });

  spec('createTask', 201, 'may have its Content-Type in capital letters', async () => {
    await alice.ok('createTask', { body: { title: 'x' }, headers: { 'Content-Type': 'Application/JSON' } });
  });

  spec('createTask', 415, 'in another charset than UTF-8 is refused', async () => {
    const headers = { 'Content-Type': 'application/json; charset=iso-8859-1' };

    await alice.fails('createTask', 415, { body: { title: 'x' }, headers });
  });

  it.each(['ff', 'c080', 'f09fa5', 'eda080'])(
    'with the bytes %s, which are not UTF-8, is refused',
    async (bytes) => {
      const answer = await fetch(`${server.url}/api/tasks`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${await server.token('alice')}` },
        body: Buffer.concat([Buffer.from('{"title":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')]),
      });

      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        detail: expect.stringContaining('The body is not UTF-8.'),
      });
    },
  );

  spec('createTask', 201, 'may contain the replacement character itself', async () => {
    expect((await alice.ok('createTask', { body: { title: '\ufffd' } })).body.task.title).toBe('\ufffd');
  });

  it('is requested by 100 Continue only if it will be read', async () => {
    const expecting = { Expect: '100-continue', Connection: 'close' };
    const wanted = await sendRaw(
      server.url,
      await post('/api/tasks', { ...expecting, 'Content-Length': '13' }, '{"title":"x"}'),
    );
    const unwanted = await sendRaw(
      server.url,
      await post('/api/tasks', { ...expecting, 'Content-Length': '9999999' }, ''),
    );

    expect(wanted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
    expect(unwanted).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('whose Content-Length is above the limit is refused before it is sent', async () => {
    const answer = await sendRaw(server.url, await post('/api/tasks', { 'Content-Length': '1048577' }, ''));

    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":"Payload too large"');
  });

  it('without a Content-Type is read as JSON', async () => {
    const body = '{"title":"No type"}';
    const head = { 'Content-Length': String(body.length), Connection: 'close' };

    expect(await sendRaw(server.url, await post('/api/tasks', head, body))).toMatch(/^HTTP\/1\.1 201 /);
  });

  it('in chunks without a Content-Type is read as JSON', async () => {
    const chunks = '8\r\n{"title"\r\n5\r\n:"x"}\r\n0\r\n\r\n';
    const head = { 'Transfer-Encoding': 'chunked', Connection: 'close' };

    expect(await sendRaw(server.url, await post('/api/tasks', head, chunks))).toMatch(/^HTTP\/1\.1 201 /);
  });
});

async function post(path: string, headers: Record<string, string>, body: string): Promise<string> {
  const lines = Object.entries({
    Host: 'x',
    Authorization: `Bearer ${await server.token('alice')}`,
    ...headers,
  });
  return [`POST ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join(
    '\r\n',
  );
}

spec('createTask', 400, 'text that cannot be stored is refused wherever it is, keys included', async () => {
  const body = { title: 'x', other: [{ 'a\0': 1 }, '\udc00'] };

  const { body: problem } = await alice.fails('createTask', 400, { body });

  expect(problem.errors?.map(({ pointer }) => pointer)).toEqual(['/other/0/a', '/other/1']);
});
