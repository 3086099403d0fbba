import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { operationIds } from '../../../server/src/contract/registry.ts';
import { operationOf } from '../../support/contract.ts';
import { sendMessage } from '../../support/mcp.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();
const bytesMax = 64 * 1024;
const numRuns = 40;

const token = await server.token('alice');

/** Texts of up to 60,000 characters. Some of them take many bytes in an error. */
const text = fc
  .tuple(
    fc.constantFrom('a', '\0', '\u0001', '\ud800', '~/', '"', '€', '\u2028', '%'),
    fc.constantFrom(0, 1, 199, 201, 2_000, 60_000),
  )
  .map(([character, length]) => character.repeat(length));

const names = fc.oneof(
  text,
  fc.constantFrom(...'title data series colors decisions skills approvals context input name q'.split(' ')),
);

/** Values of all kinds with long keys, many entries, and texts that cannot be stored. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: text },
    fc.constantFrom(null, true, -1, 1e300),
    tie('list'),
    tie('object'),
  ),
  list: fc
    .tuple(tie('value'), fc.constantFrom(1, 3, 400))
    .map(([entry, length]) => Array.from({ length: sizeOf(entry) > 1_000 ? 3 : length }, () => entry)),
  object: fc.dictionary(names, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));

const body = fc
  .dictionary(names, value, { maxKeys: 6, noNullPrototype: true })
  .filter((each) => sizeOf(each) < 2 ** 20);

function sizeOf(json: unknown): number {
  return JSON.stringify(json).length;
}

it('a problem of any operation has at most 64 KiB, whatever the body and the query have', async () => {
  await fc.assert(
    fc.asyncProperty(body, text, async (json, name) => {
      const query = new URLSearchParams([
        [name.slice(0, 1_000), 'x'],
        ['limit', name.slice(0, 1_000)],
      ]).toString();
      const packed = gzipSync(JSON.stringify(json));
      for (const id of operationIds) {
        const { method, path } = operationOf(id);
        const response = await fetch(`${server.url}${path.replace('{id}', 'any')}?${query}`, {
          method,
          headers: { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' },
          ...(method === 'GET' ? {} : { body: packed }),
        });

        const { byteLength } = await response.arrayBuffer();
        expect(response.status, id).toBeLessThan(500);
        if (response.status >= 400) expect(byteLength, id).toBeLessThanOrEqual(bytesMax);
      }
    }),
    { numRuns },
  );
});

it('an error of any tool has at most 64 KiB, whatever its arguments are', async () => {
  await fc.assert(
    fc.asyncProperty(body, async (values) => {
      for (const name of ['list_tasks', 'create_task', 'render_chart', 'run_agent', 'nothing']) {
        const { text } = await sendMessage(server, token, 'tools/call', { name, arguments: values });

        expect(Buffer.byteLength(text), name).toBeLessThanOrEqual(bytesMax);
      }
    }),
    { numRuns },
  );
});
