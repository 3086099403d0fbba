import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { createDatabase, engine, startTestServer, type TestDatabase } from '../support/server.ts';
import { spec } from '../support/spec.ts';

interface Line {
  readonly url: string;
  /** Nothing goes through any more, and no connection is closed: what a hanging machine looks like. */
  silence(): void;
  mend(): void;
  close(): void;
}

describe.runIf(engine === 'postgres')('while the database takes connections but says nothing', () => {
  let database: TestDatabase;
  let line: Line;
  let alice: Client;

  beforeAll(async () => {
    database = await createDatabase();
    line = await lineTo(database.env['DATABASE_URL'] ?? '');
    const limits = { DATABASE_STATEMENT_TIMEOUT_MS: '1500', DATABASE_POOL_WAIT_MS: '500' };
    const server = await startTestServer({
      env: { ...limits, DATABASE_URL: line.url, DATABASE_POOL_SIZE: '2' },
    });
    alice = await server.as('alice');
    await alice.ok('listTasks');
  });

  afterAll(async () => {
    line.close();
    await database.drop();
  });

  spec(
    'listTasks',
    500,
    'is answered within the time of a statement, and works again afterwards',
    async () => {
      line.silence();
      const startMs = performance.now();

      const { body } = await alice.fails('listTasks', 500);

      expect(body.code).toBe('Database error');
      expect(performance.now() - startMs).toBeLessThan(3500);
      line.mend();
      await alice.ok('listTasks');
    },
  );

  spec('createTask', 500, 'does not wait for the end of its transaction as well', async () => {
    await alice.ok('listTasks');
    line.silence();
    const startMs = performance.now();

    const { body } = await alice.fails('createTask', 500, {
      body: { title: 'x' },
      headers: { 'Idempotency-Key': 'silent' },
    });

    expect(body.code).toBe('Database error');
    expect(performance.now() - startMs).toBeLessThan(3500);
    line.mend();
    await alice.ok('createTask', { body: { title: 'x' }, headers: { 'Idempotency-Key': 'silent' } });
  });
});

/** A line to a Postgres that can go silent. */
async function lineTo(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const both = (run: (socket: Socket) => void): void => {
    for (const socket of sockets) run(socket);
  };
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => to.write(chunk)).on('error', () => undefined);
      from.on('close', () => to.destroy());
      if (isSilent) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    silence: () => {
      isSilent = true;
      both((socket) => socket.pause());
    },
    mend: () => {
      isSilent = false;
      both((socket) => socket.resume());
    },
    close: () => {
      both((socket) => socket.destroy());
      server.close();
    },
  };
}
