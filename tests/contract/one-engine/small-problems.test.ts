import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { operationIds } from '../../../server/src/contract/registry.ts';
import { operationOf } from '../../support/contract.ts';
import { sendMessage } from '../../support/mcp.ts';
import { sharedServer } from '../../support/server.ts';

const server = sharedServer();
const bytesMax = 64 * 1024;

const token = await server.token('alice');

/** Texts that cannot be stored, under keys of this length that take six bytes a character. */
const unstorable = (length: number) =>
  Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`${'\u0001'.repeat(length)}${i}`, '\0']));

const bodies = [1, 300, 5000].map((length) => ({ title: '', limit: -1, context: unstorable(length) }));

it.each(bodies)('a problem of any operation has at most 64 KiB', async (json) => {
  for (const id of operationIds) {
    const { method, path } = operationOf(id);
    const response = await fetch(`${server.url}${path.replace('{id}', 'any')}?limit=${'%01'.repeat(1000)}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Encoding': 'gzip' },
      ...(method === 'GET' ? {} : { body: gzipSync(JSON.stringify(json)) }),
    });

    const { byteLength } = await response.arrayBuffer();
    expect(response.status, id).toBeLessThan(500);
    if (response.status >= 400) expect(byteLength, id).toBeLessThanOrEqual(bytesMax);
  }
});

it.each(bodies)('an error of any tool has at most 64 KiB', async (values) => {
  for (const name of ['list_tasks', 'create_task', 'render_chart', 'run_agent', 'nothing']) {
    const { text } = await sendMessage(server, token, 'tools/call', { name, arguments: values });

    expect(Buffer.byteLength(text), name).toBeLessThanOrEqual(bytesMax);
  }
});
