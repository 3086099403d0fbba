import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();

async function create(encoding: string, body: Buffer): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${await server.token('alice')}`,
    'Content-Type': 'application/json',
    'Content-Encoding': encoding,
  };
  return fetch(`${server.url}/api/tasks`, { method: 'POST', headers, body: new Uint8Array(body) });
}

const broken = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xff]), Buffer.from('"}')]);
const whole = Buffer.from('{"title":"\ufffd, as it was meant"}');

describe.each([
  ['gzip', gzipSync],
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (bytes: Buffer) => bytes],
])('a body in the encoding %s', (encoding, pack) => {
  it('is decoded, and may contain the replacement character', async () => {
    const answer = await create(encoding, pack(whole));

    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ task: { title: '\ufffd, as it was meant' } });
  });

  it('is refused when its bytes are not UTF-8', async () => {
    const answer = await create(encoding, pack(broken));

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('The body is not UTF-8.') });
  });
});

describe('a body', () => {
  it('that is a small gzip of a huge text is refused before all of it is decoded', async () => {
    const answer = await create('gzip', gzipSync(Buffer.alloc(50 * 1024 * 1024, ' ')));

    expect(answer.status).toBe(413);
  });

  it('in an unknown encoding is 415', async () => {
    expect((await create('rot13', Buffer.from('{}'))).status).toBe(415);
  });
});
