import { describe, expect, it } from 'vitest';
import * as sdk from '../../sdk/src/index.ts';
import { disconnect, json, problem, startFakeServer } from './fake-server.ts';
import { allOperations } from '../support/contract.ts';

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

describe('errors', () => {
  it('each error status of the contract has its own class', () => {
    const statuses = allOperations.flatMap(({ responses }) => Object.keys(responses));
    const failures = [...new Set(statuses)].filter((status) => Number(status) >= 400);

    expect(failures.toSorted()).toEqual(Object.keys(classes).toSorted());
    expect(new Set(Object.values(classes)).size).toBe(failures.length);
  });

  it('the package exports only createClient, payloadOf and error classes', () => {
    const { createClient: _createClient, payloadOf: _payloadOf, ...others } = sdk;

    for (const each of Object.values(others)) expect(each.prototype).toBeInstanceOf(Error);
  });

  it.each(Object.entries(classes))(
    'a %s throws its class, with body, code and request id',
    async (status, Class) => {
      const server = await startFakeServer(problem(Number(status), 'Server Error'));

      const error: unknown = await server
        .client({ retriesMax: 0 })
        .tasks.get('1')
        .catch((reason: unknown) => reason);

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

  it('a response of a proxy without problem details throws an ApiError', async () => {
    const server = await startFakeServer((response) => {
      response
        .writeHead(502, { 'Content-Type': 'text/html', 'X-Request-Id': 'r-2' })
        .end('<h1>Bad Gateway</h1>');
    });

    const failure = server.client({ retriesMax: 0 }).tasks.get('1');

    await expect(failure).rejects.toThrow(sdk.ApiError);
    await expect(failure).rejects.toMatchObject({
      status: 502,
      body: undefined,
      code: undefined,
      requestId: 'r-2',
    });
  });

  it('a closed connection throws a ConnectionError with its cause', async () => {
    const server = await startFakeServer(disconnect);

    const failure = server.client({ retriesMax: 0 }).tasks.get('1');

    await expect(failure).rejects.toThrow(sdk.ConnectionError);
    await expect(failure).rejects.toMatchObject({ cause: { name: 'TypeError' } });
  });

  it('a connection that closes during the body throws a ConnectionError', async () => {
    const server = await startFakeServer((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{');
      setTimeout(() => response.socket?.destroy(), 20);
    });

    await expect(server.client({ retriesMax: 0 }).tasks.get('1')).rejects.toThrow(sdk.ConnectionError);
  });

  it.each([
    ['is not JSON', '<html>'],
    ['is empty', ''],
  ])('a success response whose body %s throws an InvalidResponseError', async (_what, body) => {
    const server = await startFakeServer((response) => response.writeHead(200).end(body));

    await expect(server.client().tasks.get('1')).rejects.toThrow(sdk.InvalidResponseError);

    expect(server.requests).toHaveLength(1);
  });

  it('a redirect throws an ApiError, because following it could send the token to another server', async () => {
    const server = await startFakeServer((response) =>
      response.writeHead(302, { Location: '/elsewhere' }).end(),
    );

    await expect(server.client().tasks.get('1')).rejects.toMatchObject({ name: 'ApiError', status: 302 });

    expect(server.requests).toHaveLength(1);
  });

  it('an id that would address another resource throws before a request is sent', async () => {
    const server = await startFakeServer(json(200, {}));
    const { tasks } = server.client();

    for (const id of ['', '.', '..']) await expect(tasks.delete(id)).rejects.toThrow(/id must be/);

    expect(server.requests).toHaveLength(0);
  });
});
