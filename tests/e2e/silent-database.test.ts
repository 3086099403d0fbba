import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startProcess } from '../support/process.ts';
import { startRelay } from '../support/relay.ts';
import { createDatabase, engine } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { secret } from '../support/tokens.ts';

describe.runIf(engine === 'postgres')('while the database does not respond', () => {
  it('SIGTERM ends the server with 0, although its connections stay open', async () => {
    const database = await createDatabase();
    const relay = await startRelay(database.env['DATABASE_URL'] ?? '');
    const server = await startProcess({ ...database.env, DATABASE_URL: relay.url, JWT_SECRET: secret });
    const alice = await server.as('alice');
    const { id } = await createTask(alice);
    await alice.ok('getTask', { id });

    relay.silence();
    // The queue polls every second, so by now some of its statements are in flight.
    await pause(1100);
    const startMs = performance.now();
    const code = await server.stop('SIGTERM');

    expect(code).toBe(0);
    expect(server.output()).toContain('shutdown complete');
    expect(performance.now() - startMs).toBeLessThan(15_000);
  });
});
