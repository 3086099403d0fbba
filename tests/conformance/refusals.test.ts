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

  describe.runIf(requestBody !== undefined)('with a body', () => {
    it('refuses text that is not JSON with 400', async () => {
      expect((await me.send(operationId, { ...id, body: '{"' })).status).toBe(400);
    });

    it('refuses another media type with 415', async () => {
      const headers = { 'Content-Type': 'text/csv' };
      expect((await me.send(operationId, { ...id, body: 'a,1', headers })).status).toBe(415);
    });

    it('refuses more than 1 MiB with 413', async () => {
      const body = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) });
      expect((await me.send(operationId, { ...id, body })).status).toBe(413);
    });
  });
});
