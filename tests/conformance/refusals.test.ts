import { describe, expect, it } from 'vitest';
import { allOperations } from '../support/contract.ts';
import { requests, searchOf, unknownId } from '../support/requests.ts';
import { anonymous, me } from './target.ts';

describe.each(allOperations)('$operationId', ({ operationId, path, requestBody, responses }) => {
  const request = requests[operationId];
  const id = path.includes('{id}') ? { id: unknownId } : {};

  it.runIf('401' in responses)('refuses a request without a token with 401', async () => {
    expect((await anonymous.send(operationId, { ...request, ...id })).status).toBe(401);
  });

  it('refuses an unknown query parameter with 400, and names it', async () => {
    const query = [searchOf(operationId).slice(1), 'conformance=1'].filter(Boolean).join('&');
    const { status, body } = await me.send(operationId, { ...request, ...id, query });

    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ pointer: '/query/conformance' }] });
  });

  it.runIf(path.includes('{id}') && '404' in responses)('answers 404 to an unknown id', async () => {
    expect((await me.send(operationId, { ...request, ...id })).status).toBe(404);
  });

  it.runIf(requestBody !== undefined).each([
    ['text that is not JSON', 400, 'application/json', '{"'],
    ['another media type', 415, 'text/csv', 'a,1'],
    ['more than 1 MiB', 413, 'application/json', JSON.stringify({ padding: 'x'.repeat(1024 * 1024) })],
  ])('refuses %s with %i', async (_what, status, mediaType, body) => {
    const headers = { 'Content-Type': mediaType };
    expect((await me.send(operationId, { ...id, body, headers })).status).toBe(status);
  });
});
