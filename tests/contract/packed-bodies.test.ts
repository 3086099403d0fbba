import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

async function create(encoding: string, body: Buffer): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${await tokenFor('alice')}`,
    'Content-Type': 'application/json',
    'Content-Encoding': encoding,
  };
  return fetch(`${server.url}/api/tasks`, { method: 'POST', headers, body: new Uint8Array(body) });
}

const broken = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff]), Buffer.from('"}')]);
const whole = Buffer.from('{"title":"\ufffd, as it was meant"}');

describe.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (bytes: Buffer) => bytes],
])('a body in the encoding %s', (encoding, pack) => {
  it('is unpacked, and may hold the replacement character', async () => {
    const answer = await create(encoding, pack(whole));

    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ task: { title: '\ufffd, as it was meant' } });
  });

  it('is refused where its bytes are no UTF-8', async () => {
    const answer = await create(encoding, pack(broken));

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('The body is not UTF-8.') });
  });
});

describe('a body', () => {
  it('that is a small gzip of something huge is refused without unpacking all of it', async () => {
    const answer = await create('gzip', gzipSync(Buffer.alloc(50 * 1024 * 1024, ' ')));

    expect(answer.status).toBe(413);
  });

  it('in an encoding that nobody knows is 415', async () => {
    expect((await create('rot13', Buffer.from('{}'))).status).toBe(415);
  });
});
