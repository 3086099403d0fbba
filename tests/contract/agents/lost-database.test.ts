import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { beforeAll, describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/contract/operation.ts';
import { createAgent } from '../../support/agents.ts';
import { decisionsAbout, waitingRun } from '../../support/approvals.ts';
import type { Client } from '../../support/client.ts';
import { metricOf } from '../../support/metrics.ts';
import { runConnection } from '../../support/postgres.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import { createDatabase, engine, startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { startWithModel } from '../../support/with-model.ts';

describe.runIf(engine === 'postgres')('a request that loses the database', () => {
  let relay: Relay;
  let server: TestServer;
  let alice: Client;
  let agent: Schemas['Agent'];

  beforeAll(async () => {
    const database = await createDatabase();
    const url = new URL(database.env['DATABASE_URL'] ?? '');
    relay = await startRelay(url.href);
    url.port = new URL(relay.url).port;
    server = await startTestServer({ sharing: { env: { ...database.env, DATABASE_URL: url.href } } });
    alice = await server.as('alice');
    agent = await createAgent(alice, { approvals: ['create_task'] });
  });

  /** Sends a request, and cuts the connections to the database at a statement, at its commit, or after its commit. */
  async function losingDatabase<Result>(
    statement: string,
    request: () => Promise<Result>,
    moment: 'statement' | 'commit' | 'committed' = 'committed',
  ): Promise<Result> {
    // Wait until no worker is active, because a worker's commit would be mistaken for the request's commit.
    await expect.poll(() => metricOf(server, 'agent_runs_active{runtime="builtin"}')).toBe(0);
    let isWritten = false;
    const onStatement = (message: unknown): void => {
      const text = JSON.stringify(message);
      isWritten ||= text.includes(statement);
      if (isWritten && text.includes(moment === 'statement' ? statement : `"${moment}"`)) void relay.cut();
    };
    const onCommit = (): void => {
      if (isWritten) void relay.cut();
    };
    subscribe('worktable.statement', onStatement);
    subscribe('worktable.commit', onCommit);
    try {
      return await request();
    } finally {
      unsubscribe('worktable.statement', onStatement);
      unsubscribe('worktable.commit', onCommit);
      await relay.restore();
    }
  }

  const changes = [
    ['cancelRun', 'required_action', { status: 'cancelled' }],
    ['decideToolCalls', 'set decisions', { status: 'queued', required_action: null }],
    ['updateSession', 'set \\"title', { title: 'Kept' }],
  ] as const;

  describe.each(changes)('after its commit, %s', (operation, statement, changed) => {
    spec(operation, 200, 'answers with what it has changed', async () => {
      const run = await waitingRun(alice, agent, operation);
      const input = {
        cancelRun: { id: run.id },
        decideToolCalls: decisionsAbout(run, { approve: true }),
        updateSession: { id: run.session_id, body: { title: 'Kept' } },
      }[operation];

      const { body } = await losingDatabase(statement, () => alice.ok(operation, input));

      expect(body).toMatchObject({ id: input.id, ...changed });
    });
  });

  describe.each([
    ['before its commit', 'set \\"title', 'Nothing was done.'],
    ['while it is counted for the rate limit', 'rate_limits', 'Send the same request again'],
  ])('%s', (when, statement, advice) => {
    spec('updateSession', 503, 'may be repeated, as the problem says', async () => {
      const { session_id: id } = await waitingRun(alice, agent, when);
      const request = { id, body: { title: 'Again' } };

      const { body, headers } = await losingDatabase(
        statement,
        () => alice.fails('updateSession', 503, request),
        'statement',
      );

      expect(body).toMatchObject({ code: 'Overloaded', detail: expect.stringContaining(advice) });
      expect(headers.get('Retry-After')).toBe('1');
      await expect.poll(async () => (await alice.send('updateSession', request)).status).toBe(200);
    });
  });

  spec('updateSession', 500, 'at its commit may have taken effect', async () => {
    const { session_id: id } = await waitingRun(alice, agent, 'In doubt');

    const { body } = await losingDatabase(
      'set \\"title',
      () => alice.fails('updateSession', 500, { id, body: { title: 'Perhaps' } }),
      'commit',
    );

    expect(body.code).toBe('Database error');
  });

  spec('runAgent', 503, 'before it has read the run of its key may be repeated', async () => {
    const request = {
      id: agent.id,
      body: { input: 'list my tasks' },
      headers: { 'Idempotency-Key': 'lost', Prefer: 'wait=10' },
    };
    const { body: run } = await alice.ok('runAgent', request);

    const { body } = await losingDatabase(
      'incomplete_details',
      () => alice.fails('runAgent', 503, request),
      'statement',
    );

    expect(body.code).toBe('Overloaded');
    await expect.poll(async () => (await alice.send('runAgent', request)).body).toMatchObject({ id: run.id });
  });
});

describe.runIf(engine === 'postgres')('a run that was started and cannot be read', () => {
  spec('runAgent', 503, 'is named by the problem, because a repetition would start another', async () => {
    const changes = { database: { lockTimeoutMs: 300 } };
    const { model, server, alice, agent } = await startWithModel({}, {}, changes);
    const { promise: isRunning, resolve } = Promise.withResolvers<undefined>();
    model.respondWith(() => {
      resolve(undefined);
    });

    const body = { input: 'One', context: { session_id: 'locked' } };
    const problem = await runConnection(server.env['DATABASE_URL'] ?? '', async (connection) => {
      const response = alice.fails('runAgent', 503, { id: agent.id, body, headers: { Prefer: 'wait=2' } });
      await isRunning;
      await connection.query('begin; lock table runs in access exclusive mode');
      return (await response).body;
    });

    const { run } = (await alice.ok('getSession', { id: 'locked' })).body;
    expect(problem).toMatchObject({ code: 'Overloaded', run_id: run?.id, session_id: 'locked' });
  });
});
