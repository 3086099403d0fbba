import { describe, expect } from 'vitest';
import { createAgent, noLimits, runAgent } from '../../support/agents.ts';
import { tasksTitled } from '../../support/approvals.ts';
import { sendTwiceWhileLocked } from '../../support/locks.ts';
import { isShareable, startTestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const server = await startTestServer({ env: noLimits });
const alice = await server.as('alice');
const { id } = await createAgent(alice);

const operations = [
  ['runAgent', 'runs', { input: 'create a task titled Once' }, { input: 'list my tasks' }],
  ['createAgent', 'agents', { name: 'Once' }, { name: 'Twice' }],
] as const;

describe.each(operations)('a repeated Idempotency-Key of %s', (operation, table, body, other) => {
  const headers = { 'Idempotency-Key': `key of ${operation}` };
  const request = { ...(operation === 'runAgent' ? { id } : {}), headers };

  spec(operation, 200, 'replays the response', async () => {
    const first = await alice.ok(operation, { ...request, body });
    const second = await alice.ok(operation, { ...request, body });

    expect(second.body).toEqual(first.body);
    expect(first.headers.get('Idempotency-Replayed')).toBeNull();
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    if (operation === 'runAgent') expect(await tasksTitled(alice, 'Once')).toHaveLength(1);
  });

  spec(operation, 422, 'is rejected with another body', async () => {
    const used = { ...request, headers: { 'Idempotency-Key': `${operation} again` } };
    await alice.ok(operation, { ...used, body });

    await alice.fails(operation, 422, { ...used, body: other });
  });

  describe.runIf(isShareable)('while the first request is in progress', () => {
    spec(operation, 200, 'waits for it, and is replayed', async () => {
      const inFlight = { ...request, body: other, headers: { 'Idempotency-Key': `${operation} in flight` } };

      const [first, second] = await sendTwiceWhileLocked(server, table, () => alice.ok(operation, inFlight));

      expect(second.body).toEqual(first.body);
    });
  });
});

spec('runAgent', 200, 'a repetition can wait for a run that was started in the background', async () => {
  const key = { 'Idempotency-Key': 'first async' };
  const first = await runAgent(alice, { id }, 'create a task titled Async', {
    headers: { ...key, Prefer: 'respond-async' },
  });
  const second = await runAgent(alice, { id }, 'create a task titled Async', { headers: key });

  expect([first.status, second.status]).toEqual([202, 200]);
  expect(second.body).toMatchObject({ id: first.body.id, status: 'completed' });
});
