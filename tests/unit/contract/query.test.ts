import { expect, it } from 'vitest';
import { callInThread } from '../../support/call-in-thread.ts';

const module = import.meta.resolve('../../../server/src/contract/query.ts');

it('parseQuery ends for two hundred thousand names', async () => {
  const query = Array.from({ length: 200_000 }, (_, n) => n.toString(36)).join('&');

  const parsed = await callInThread(module, 'parseQuery', [query, {}]);

  expect(Object.keys(parsed ?? {})).toHaveLength(200_000);
});

it('parseQuery keeps all values of a name in their order', async () => {
  const parsed = await callInThread(module, 'parseQuery', ['a=1&b=2&a=3', {}]);

  expect(parsed).toEqual({ a: ['1', '3'], b: '2' });
});
