import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, NotFoundError } from '../../sdk/src/index.ts';
import { allOperations } from '../support/contract.ts';
import { startPrism } from './prism.ts';

let url: string;

beforeAll(async () => {
  url = await startPrism('mock');
});

interface Documented {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } };
}

const documentedResponses = allOperations.flatMap((operation) => {
  // References are resolved, and a contract test ensures that every request body has an example.
  const { requestBody } = operation as unknown as Documented;
  const example = requestBody?.content['application/json'].example;
  const body = example === undefined ? {} : { body: JSON.stringify(example) };
  return Object.entries(operation.responses).map(([status, { content = {} }]) => ({
    ...operation,
    body,
    status: Number(status),
    mediaType: Object.keys(content)[0],
    example: (Object.values(content)[0] as { example?: unknown } | undefined)?.example,
  }));
});

describe('the mock', () => {
  it.each(documentedResponses)(
    '$operationId responds with $status if Prefer selects it',
    async (documented) => {
      const response = await fetch(url + documented.path.replace('{id}', '1'), {
        method: documented.method,
        headers: {
          Authorization: 'Bearer any',
          'Content-Type': 'application/json',
          Prefer: `code=${documented.status}`,
        },
        ...documented.body,
      });

      expect(response.status).toBe(documented.status);
      expect(response.headers.get('Content-Type') ?? undefined).toBe(documented.mediaType);
      expect(response.headers.get('X-Request-Id')).toBeTruthy();
      if (documented.example !== undefined) expect(await response.json()).toEqual(documented.example);
    },
  );

  it('every operation without a token responds with 401', async () => {
    const statuses = await Promise.all(
      allOperations.map(async ({ path, method }) => {
        const response = await fetch(url + path.replace('{id}', '1'), { method });
        return response.status;
      }),
    );

    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  it('the SDK throws the error that Prefer selects', async () => {
    const client = createClient({ baseUrl: url, token: 'any', retriesMax: 0 });

    const failure = client.tasks.get('any', { headers: { Prefer: 'code=404' } });

    await expect(failure).rejects.toThrow(NotFoundError);
  });
});
