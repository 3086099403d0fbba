import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../server/src/ops/log.ts';
import { cleanUpAfter } from '../../support/cleanup.ts';
import { Client } from '../../support/client.ts';
import { listen } from '../../support/listen.ts';

const problem = {
  type: 'about:blank',
  title: 'Internal Server Error',
  status: 500,
  detail: 'The chart could not be rendered.',
  code: 'RENDER_ERROR',
  error: 'RENDER_ERROR',
  request_id: 'a-request',
};
const status = { status: 'ok', service: 'viz', renders: ['svg', 'png', 'pdf'] };

/** A client of a server that gives the same response to all requests, and logs 500s like our server. */
async function clientOf(code: number, body: object, headers: Record<string, string> = {}): Promise<Client> {
  const lines: string[] = [];
  const logger = createLogger('error', { write: (line) => lines.push(line) });
  const server = createServer((_request, response) => {
    response
      .writeHead(code, { 'Content-Type': mediaTypeOf(code), 'X-Request-Id': 'a-request', ...headers })
      .end(JSON.stringify(body));
    const cause = new Error('no memory for the picture');
    logger.error({ request_id: 'another-request', err: new Error('something else') });
    if (code === 500) logger.error({ request_id: 'a-request', err: new Error('not drawn', { cause }) });
  });
  const port = await listen(server);
  cleanUpAfter(() => server.close());
  return new Client({ url: `http://127.0.0.1:${port}`, output: () => lines.join('') }, undefined);
}

function mediaTypeOf(code: number): string {
  return code < 400 ? 'application/json' : 'application/problem+json';
}

async function messageOf(failure: Promise<unknown>): Promise<string> {
  const error: unknown = await failure.catch((reason: unknown) => reason);
  return error instanceof Error ? error.message : 'no error';
}

describe('a test that fails by a 500 prints the error that the server has logged, and its cause, once', () => {
  it.each([
    ['where the request must succeed', (client: Client) => client.ok('getVizStatus'), problem],
    ['where it must fail otherwise', (client: Client) => client.fails('getVizStatus', 401), problem],
    ['where the response is undocumented', (client: Client) => client.send('getVizStatus'), {}],
  ])('%s', async (_case, send, body) => {
    const message = await messageOf(send(await clientOf(500, body)));

    expect(message.match(/Error: not drawn/g)).toHaveLength(1);
    expect(message.match(/caused by Error: no memory for the picture/g)).toHaveLength(1);
    expect(message).not.toContain('something else');
  });
});

describe('a response that breaks the contract is printed with', () => {
  it.each<[string, object, Record<string, string>, string]>([
    ['the wrong value', { ...status, service: 5 }, {}, 'body/service must be string, but is 5'],
    ['the undocumented field', { ...status, mood: 'good' }, {}, 'body/mood is not documented, but is "good"'],
    ['the incomplete object', { status: 'ok' }, {}, `'service', but is {"status":"ok"}`],
    ['the undocumented header', status, { 'X-Mood': 'good' }, 'undocumented headers x-mood: "good"'],
    [
      'the undocumented media type',
      status,
      { 'Content-Type': 'text/html' },
      '"text/html" is not documented ("{',
    ],
  ])('%s', async (_case, body, headers, expected) => {
    const message = await messageOf((await clientOf(200, body, headers)).ok('getVizStatus'));

    expect(message).toContain('getVizStatus 200 breaks the contract: ');
    expect(message).toContain(expected);
  });
});
