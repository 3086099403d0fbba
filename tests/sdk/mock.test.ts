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

const answers = allOperations.flatMap((operation) => {
  // References are resolved, and every body of a request has an example; a test of the contract sees to that.
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
  it.each(answers)('answers $operationId with $status when asked to', async (answer) => {
    const response = await fetch(url + answer.path.replace('{id}', '1'), {
      method: answer.method,
      headers: {
        Authorization: 'Bearer any',
        'Content-Type': 'application/json',
        Prefer: `code=${answer.status}`,
      },
      ...answer.body,
    });

    expect(response.status).toBe(answer.status);
    expect(response.headers.get('Content-Type') ?? undefined).toBe(answer.mediaType);
    expect(response.headers.get('X-Request-Id')).toBeTruthy();
    if (answer.example !== undefined) expect(await response.json()).toEqual(answer.example);
  });

  it('answers every operation without a token with 401', async () => {
    const statuses = await Promise.all(
      allOperations.map(async ({ path, method }) => {
        const response = await fetch(url + path.replace('{id}', '1'), { method });
        return response.status;
      }),
    );

    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  it('reaches the error states through the SDK', async () => {
    const client = createClient({ baseUrl: url, token: 'any', retriesMax: 0 });

    const failure = client.tasks.get('any', { headers: { Prefer: 'code=404' } });

    await expect(failure).rejects.toThrow(NotFoundError);
  });
});
