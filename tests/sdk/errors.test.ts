import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import * as sdk from '../../sdk/src/index.ts';
import { allOperations } from '../support/contract.ts';
import {
  collect,
  disconnect,
  json,
  problem,
  startFakeServer,
  type FakeServer,
  type Responder,
} from './fake-server.ts';

const classes: Record<string, typeof sdk.ApiError> = {
  400: sdk.BadRequestError,
  401: sdk.UnauthorizedError,
  403: sdk.AccessDeniedError,
  404: sdk.NotFoundError,
  412: sdk.PreconditionFailedError,
  413: sdk.PayloadTooLargeError,
  415: sdk.UnsupportedMediaTypeError,
  422: sdk.IdempotencyKeyReusedError,
  429: sdk.RateLimitedError,
  500: sdk.ServerError,
  503: sdk.OverloadedError,
};
const chart = { data: [] };

async function errorOf(
  responder: Responder,
  call = ({ tasks }: sdk.Client): Promise<unknown> => tasks.get('1'),
): Promise<{ error: unknown; server: FakeServer }> {
  const server = await startFakeServer(responder);
  const error: unknown = await call(server.client({ retriesMax: 0 })).catch((reason: unknown) => reason);
  return { error, server };
}

describe('errors', () => {
  it('each error status of the contract has its own class', () => {
    const ofClients = allOperations.filter(({ operationId }) => operationId !== 'getLinkedChart');
    const statuses = ofClients.flatMap(({ responses }) => Object.keys(responses));
    const failures = [...new Set(statuses)].filter((status) => Number(status) >= 400);

    expect(failures.toSorted()).toEqual(Object.keys(classes).toSorted());
    expect(new Set(Object.values(classes)).size).toBe(failures.length);
  });

  it.each(Object.entries(classes))(
    'a %s throws its class, with body, code and request id',
    async (status, Class) => {
      const { error } = await errorOf(problem(Number(status), 'Server Error'));

      expect(error).toBeInstanceOf(Class);
      expect(error).toBeInstanceOf(sdk.WorktableError);
      expect(error).toMatchObject({
        name: Class.name,
        status: Number(status),
        code: 'Server Error',
        requestId: 'r-1',
        body: { detail: 'D.' },
        message: `${status} Server Error: D.`,
      });
    },
  );

  it('the errors of fields have codes that a switch can list', () => {
    expectTypeOf<'too_long' | 'not_blank'>().toExtend<sdk.FieldError['code']>();
  });

  it('a connection that closes throws a ConnectionError with its cause', async () => {
    const { error } = await errorOf(disconnect);

    expect(error).toBeInstanceOf(sdk.ConnectionError);
    expect(error).toMatchObject({ cause: { name: 'TypeError' } });
  });
});

it.each<[sdk.ErrorCode, string, RegExp]>([
  ['Not found', '/api', / Remove \/api from the end of baseUrl\.$/],
  ['Not found', '/worktable/api/v1/', / Remove \/api\/v1 from the end of baseUrl\.$/],
  // The server found the operation, so a proxy removes `/api`, and the baseUrl is right.
  ['Task not found', '/api', /^404 Task not found: D\.$/],
])('the error of a 404 %s names a wrong end of baseUrl, if any: %s', async (code, end, message) => {
  const server = await startFakeServer(problem(404, code));

  const reading = server.client({ baseUrl: `${server.url}${end}` }).tasks.get('1');

  await expect(reading).rejects.toThrow(message);
});

it('a stream without a body is refused, and a body of another type is cancelled', async () => {
  const cancel = vi.fn();
  const withType = (type: string) => ({ headers: { 'Content-Type': type } });
  for (const response of [
    new Response(null, withType('text/event-stream')),
    new Response(new ReadableStream({ cancel }), withType('text/html')),
  ]) {
    const fetch = () => Promise.resolve(response);
    const { runs } = sdk.createClient({ baseUrl: 'http://api', token: 'token', retriesMax: 0, fetch });
    await expect(collect(runs.stream('1'))).rejects.toThrow('The 200 response is not text/event-stream.');
  }
  expect(cancel).toHaveBeenCalledOnce();
});

describe('a success response', () => {
  const raw =
    (status: number, body = ''): Responder =>
    (response) =>
      response.writeHead(status, { ETag: '"2"' }).end(body);

  it.each<[string, Responder, ((client: sdk.Client) => Promise<unknown>)?]>([
    ['that is not JSON', raw(200, '<html>')],
    ['that is empty', raw(200)],
    ['without a task', json(200, {})],
    ['without a task for getIfChanged', json(200, {}), ({ tasks }) => tasks.getIfChanged('1', '"2"')],
    ['that is null', json(200, null)],
    ['that is not a list of comments', json(200, {}), ({ tasks }) => tasks.listComments('1').toArray()],
    ['that is not a PNG', json(200, { png_base64: '' }), ({ viz }) => viz.renderPng(chart)],
    ['without SVG markup', json(200, {}), ({ viz }) => viz.renderSvg(chart)],
    ['that is not a stream', json(200, {}), ({ runs }) => collect(runs.stream('1'))],
  ])('%s throws an InvalidResponseError', async (_what, responder, call) => {
    const { error, server } = await errorOf(responder, call);

    expect(error).toBeInstanceOf(sdk.InvalidResponseError);
    expect(String(error)).toMatch(
      / a response from \S+ that is not of this service, with status 200|The 200 response is not (image|text)/,
    );
    expect(server.requests).toHaveLength(1);
  });

  it('that is 304 is undefined for getIfChanged, and an ApiError for get', async () => {
    const server = await startFakeServer(raw(304));
    const { tasks } = server.client();

    const { data, response } = await tasks.getIfChanged('1', '"2"').withResponse();

    expect([data, response.headers.get('ETag')]).toEqual([undefined, '"2"']);
    expect(server.requests[0]?.headers['if-none-match']).toBe('"2"');
    await expect(tasks.get('1', { headers: { 'If-None-Match': '"2"' } })).rejects.toMatchObject({
      name: 'ApiError',
      status: 304,
    });
  });
});

describe('the error of a response that is not of the service', () => {
  const html = `<!doctype html><title>Sign in</title>${'x'.repeat(5000)}`;
  const quota = { type: 'https://example.com/quota', title: 'Quota exceeded', detail: 'Come back tomorrow.' };
  const page =
    (status: number, headers: Record<string, string> = {}): Responder =>
    (response) =>
      response
        .writeHead(status, { 'Content-Type': 'text/html', 'X-Request-Id': 'r-2', ...headers })
        .end(html);
  const privateList = ({ tasks }: sdk.Client): Promise<unknown> => tasks.list({ q: 'private words' }).page();

  it('says which operation, address, status and type it has, with its first kilobyte', async () => {
    const { error, server } = await errorOf(page(502), privateList);

    expect(error).toBeInstanceOf(sdk.ApiError);
    expect(error).toMatchObject({
      ...{ status: 502, body: undefined, code: undefined, requestId: 'r-2' },
      message: `listTasks received a response from ${server.url}/api/tasks that is not of this service, with status 502 and the type text/html: ${html.slice(0, 1024)}`,
    });
  });

  it.each([
    ['page with a success status', page(200), /status 200 and the type text\/html: <!doctype html>/],
    ['problem of another server', json(403, quota), /status 403 .*: Quota exceeded: Come back tomorrow\.$/],
    [
      'redirect, which is not followed, because that could send the token to another server',
      page(308, { Location: 'https://other.example.com/api/tasks' }),
      /status 308: a redirect to https:\/\/other\.example\.com\/api\/tasks\. Set baseUrl to the final address\.$/,
    ],
  ])('says what it is: a %s', async (_what, responder, message) => {
    const { error, server } = await errorOf(responder, privateList);

    expect(error).toMatchObject({ message: expect.stringMatching(message) as string });
    expect(server.requests).toHaveLength(1);
  });
});

// A second copy of the classes, as in an app that loads the package both as an ES module and as CommonJS.
const path = '../../sdk/src/errors.ts?copy';
const copy = (await import(path)) as typeof import('../../sdk/src/errors.ts');

class MissingTask extends sdk.NotFoundError {}

it.each([
  ['the same class', copy.NotFoundError, sdk.NotFoundError, true],
  ['its base class', copy.NotFoundError, sdk.ApiError, true],
  ['the base class of all errors', copy.NotFoundError, sdk.WorktableError, true],
  ['another class', copy.NotFoundError, sdk.BadRequestError, false],
  ['a class without a response', copy.NotFoundError, sdk.ConnectionError, false],
  ['the class that an app derives from it', MissingTask, sdk.NotFoundError, true],
  ['a class that an app derives', MissingTask, MissingTask, true],
  ['the derived class of an app', sdk.NotFoundError, MissingTask, false],
])(
  'an error of another copy of the package, or of an app, is an instance of %s: %o, %o, %s',
  (_what, from, of, is) => {
    expect(copy.NotFoundError).not.toBe(sdk.NotFoundError);
    expect(new from({ status: 404, headers: new Headers(), body: undefined }) instanceof of).toBe(is);
  },
);

it('other values are not errors of the package', () => {
  expect(new Error('other') instanceof sdk.WorktableError).toBe(false);
  expect({} instanceof sdk.WorktableError).toBe(false);
});
