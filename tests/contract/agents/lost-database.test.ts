import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { beforeAll, describe, expect } from 'vitest';
import type { Schemas } from '../../../server/src/operation.ts';
import { createAgent } from '../../support/agents.ts';
import { decide, waitingRun } from '../../support/approvals.ts';
import type { Client } from '../../support/client.ts';
import { metricOf } from '../../support/metrics.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import { createDatabase, engine, startTestServer, type TestServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

describe.runIf(engine === 'postgres')('when the database is lost after a commit', () => {
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

  /** Sends a request, and cuts the connections to the database after the commit of a statement. */
  async function losingDatabase<Result>(statement: string, request: () => Promise<Result>): Promise<Result> {
    // Wait for the end of the waiting run's job: its worker commits too, which would be mistaken for the request's
    // commit.
    await expect.poll(() => metricOf(server, 'agent_runs_active{runtime="builtin"}')).toBe(0);
    let isWritten = false;
    const onStatement = (message: unknown): void => {
      isWritten ||= JSON.stringify(message).includes(statement);
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

  spec('cancelRun', 200, 'answers with the cancelled run', async () => {
    const { id } = await waitingRun(alice, agent, 'Cancelled');

    const { body } = await losingDatabase('required_action', () => alice.ok('cancelRun', { id }));

    expect(body).toMatchObject({ id, status: 'cancelled' });
  });

  spec('decideToolCalls', 200, 'answers with the run that goes on', async () => {
    const run = await waitingRun(alice, agent, 'Decided');

    const decided = await losingDatabase('set decisions', () => decide(alice, run, { approve: true }));

    expect(decided).toMatchObject({ id: run.id, status: 'queued', required_action: null });
  });

  spec('updateSession', 200, 'answers with the changed session', async () => {
    const { session_id: id } = await waitingRun(alice, agent, 'Titled');

    const { body } = await losingDatabase('set \\"title', () =>
      alice.ok('updateSession', { id, body: { title: 'Kept' } }),
    );

    expect(body).toMatchObject({ id, title: 'Kept' });
  });
});
