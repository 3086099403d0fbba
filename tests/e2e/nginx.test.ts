import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { hasNginx, nginxMissing, startNginx } from '../support/nginx.ts';
import { startProcess, type RunningProcess } from '../support/process.ts';
import { createDatabase, engine, type TestDatabase } from '../support/server.ts';
import { secret, tokenFor } from '../support/tokens.ts';

if (engine === 'postgres' && !hasNginx) console.warn(nginxMissing);

describe.runIf(engine === 'postgres' && hasNginx)('two servers behind nginx', () => {
  let database: TestDatabase;
  let url: string;
  let headers: Record<string, string>;
  let ports: [number, number];
  const servers: RunningProcess[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    ports = [await freePort(), await freePort()];
    servers.push(await startOn(ports[0]), await startOn(ports[1]));
    url = await startNginx(ports);
    headers = { Authorization: `Bearer ${await tokenFor('alice')}`, 'Content-Type': 'application/json' };
  });

  afterAll(async () => {
    for (const server of servers) await server.stop('SIGTERM');
  });

  function startOn(port: number): Promise<RunningProcess> {
    return startProcess({
      ...database.env,
      JWT_SECRET: secret,
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      DATABASE_POOL_SIZE: '4',
    });
  }

  /** Creates, reads and updates tasks until `isOver`. Returns the requests that failed. */
  async function work(isOver: () => boolean): Promise<{ sent: number; lost: string[] }> {
    const lost: string[] = [];
    let sent = 0;
    const send = async (method: string, path: string, body?: object): Promise<{ task?: { id: string } }> => {
      sent += 1;
      try {
        const answer = await fetch(url + path, {
          method,
          headers,
          body: body === undefined ? null : JSON.stringify(body),
        });
        if (!answer.ok) lost.push(`${method} ${answer.status}`);
        return (await answer.json()) as { task?: { id: string } };
      } catch (error) {
        lost.push(`${method} ${String(error)}`);
        return {};
      }
    };
    while (!isOver()) {
      const { task } = await send('POST', '/api/tasks', { title: 'Roll' });
      await send('GET', `/api/tasks/${task?.id ?? ''}`);
      await send('PUT', `/api/tasks/${task?.id ?? ''}`, { title: 'Rolled' });
      await send('DELETE', `/api/tasks/${task?.id ?? ''}`);
    }
    return { sent, lost };
  }

  it('are restarted one after the other without a lost request', async () => {
    let isOver = false;
    const clients = Array.from({ length: 8 }, () => work(() => isOver));
    for (const [i, port] of ports.entries()) {
      expect(await servers[i]?.stop('SIGTERM')).toBe(0);
      servers[i] = await startOn(port);
    }
    isOver = true;
    const results = await Promise.all(clients);

    expect(results.flatMap(({ lost }) => lost)).toEqual([]);
    expect(results.reduce((sum, { sent }) => sum + sent, 0)).toBeGreaterThan(100);
  });

  it('keep probes and metrics to themselves', async () => {
    const answers = ['/metrics', '/readyz', '/healthz'].map(async (path) => (await fetch(url + path)).status);

    expect(await Promise.all(answers)).toEqual([404, 404, 404]);
  });
});
