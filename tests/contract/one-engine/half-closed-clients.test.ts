import { expect, it } from 'vitest';
import { sendAndHalfClose } from '../../support/raw.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();
const alice = await server.as('alice');

async function headOf(line: string): Promise<string> {
  const token = await server.token('alice');
  return `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
}

it('a client that closes its side after a body has its task created, and gets it', async () => {
  const body = '{"title":"Half closed"}';
  const head = `${await headOf('POST /api/tasks')}Content-Length: ${body.length}\r\n`;

  const answer = await sendAndHalfClose(server.url, `${head}\r\n${body}`);

  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  expect((await alice.ok('listTasks', { query: { q: 'Half closed' } })).body.count).toBe(1);
});

it('a client that closes its side after several requests gets all responses, and then the end', async () => {
  const request = `${await headOf('GET /api/tasks')}\r\n`;

  const answer = await sendAndHalfClose(server.url, request.repeat(3));

  expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
});

it('a stream to a client that closes its side ends, because nothing shows that the client still reads', async () => {
  const head = `${await headOf('GET /api/changes?after=now')}Accept: text/event-stream\r\n`;

  expect(await sendAndHalfClose(server.url, `${head}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});
