import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { allOperations, operationOf } from '../support/contract.ts';
import { requests } from '../support/requests.ts';
import { startMock } from './mock-process.ts';

const url = await startMock();

/** The named examples of successes, and the `Prefer` header that selects each. */
const states = allOperations.flatMap(({ operationId, responses }) =>
  Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).flatMap(([mediaType, { examples = {} }]) =>
      Object.entries(examples)
        .filter(([name]) => name !== 'default' && Number(status) < 300)
        .map(([name, { value }]) => {
          const prefer = `${status === '202' ? 'code=202, ' : ''}example=${name}`;
          return { operationId, status: Number(status), mediaType, prefer, value };
        }),
    ),
  ),
);

describe('the named examples', () => {
  const page = readFileSync('sdk/mock.md', 'utf8');

  it('mock.md lists each of them, with what to send', () => {
    const listed = [...page.matchAll(/: `((?:code=2\d\d, )?example=\w+)` for (`[\w` ]+`)$/gm)].flatMap(
      ([, prefer = '', operations = '']) =>
        [...operations.matchAll(/\w+/g)].map(([operation]) => `${operation} ${prefer}`),
    );

    expect(new Set(listed)).toEqual(
      new Set(states.map(({ operationId, prefer }) => `${operationId} ${prefer}`)),
    );
  });

  it.each(states)(
    'of $operationId as $mediaType are returned for Prefer: $prefer',
    async ({ operationId, status, mediaType, prefer, value }) => {
      const { method, path } = operationOf(operationId);
      const { body } = requests[operationId];

      const response = await fetch(url + path.replace('{id}', '1'), {
        method,
        headers: { Authorization: 'Bearer any', Accept: mediaType, Prefer: prefer },
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
      });

      expect(response.status).toBe(status);
      const text = await response.text();
      expect(withoutPictures(mediaType === 'application/json' ? JSON.parse(text) : text)).toEqual(
        withoutPictures(value),
      );
    },
  );

  it('begins a list of several pages, which the SDK reads to the end', async () => {
    const client = createClient({ baseUrl: url, token: 'any', headers: { Prefer: 'example=many' } });
    const sizes: number[] = [];
    for await (const { items } of client.tasks.list().pages()) sizes.push(items.length);

    expect(sizes).toEqual([3, 4]);
  });
});

/** The mock draws the pictures that the contract has as single pixels. */
function withoutPictures(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/iVBORw0[\w+/=]+/g, 'a picture'));
}
