import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Client } from '../support/client.ts';
import { listen } from '../support/listen.ts';
import { createDatabase, engine, startTestServer, type TestDatabase } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

interface Line {
  readonly url: string;
  /** Nothing goes through any more, and no connection is closed: what a hanging machine looks like. */
  silence(): void;
  /** Who connects anew is heard; the connections of before stay silent. */
  mendForNewcomers(): void;
  mend(): void;
  close(): void;
}

describe.runIf(engine === 'postgres')(
  'while the database accepts connections but does not respond, a request',
  () => {
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

    spec('listTasks', 500, 'fails after its timeout, and the next one succeeds afterwards', async () => {
      line.silence();

      const { body } = await alice.fails('listTasks', 500);

      expect(body.code).toBe('Database error');
      line.mend();
      await alice.ok('listTasks');
    });

    spec('getTask', 500, 'fails after its timeout, even among many', async () => {
      const task = await createTask(alice);
      await alice.ok('getTask', { id: task.id });
      line.silence();

      const answers = await Promise.all([1, 2, 3].map(() => alice.fails('getTask', 500, { id: task.id })));

      expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill('Database error'));
      line.mendForNewcomers();
      await alice.ok('getTask', { id: task.id });
      line.mend();
    });

    spec('createTask', 500, 'does not also wait for the end of its transaction', async () => {
      await alice.ok('listTasks');
      line.silence();

      const { body } = await alice.fails('createTask', 500, {
        body: { title: 'x' },
        headers: { 'Idempotency-Key': 'silent' },
      });

      expect(body.code).toBe('Database error');
      line.mend();
      await alice.ok('createTask', { body: { title: 'x' }, headers: { 'Idempotency-Key': 'silent' } });
    });
  },
);

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
  const own = new URL(url);
  own.port = String(await listen(server));
  return {
    url: own.href,
    silence: () => {
      isSilent = true;
      both((socket) => socket.pause());
    },
    mendForNewcomers: () => {
      isSilent = false;
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
