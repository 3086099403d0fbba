import { setTimeout } from 'node:timers/promises';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseName, databaseUrl, run } from '../../support/postgres.ts';
import { engine, isShareable, startTestServer } from '../../support/server.ts';
import { versionOf } from '../../support/installed.ts';

async function textOf(url: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const response = await fetch(url, { headers });
  return [response.status, await response.text()];
}

describe('/readyz', () => {
  it('returns 503 during a shutdown, while requests are still accepted', async () => {
    const server = await startTestServer({ env: { SHUTDOWN_DELAY: '1500ms' } });
    const alice = await server.as('alice');

    const closing = server.close();

    expect(await textOf(`${server.url}/readyz`)).toEqual([503, 'The server is shutting down.\n']);
    const { headers } = await alice.ok('listTasks');
    expect(headers.get('Connection')).toBe('close');
    await closing;
  });

  it.runIf(engine === 'postgres')('returns 503 while the database is gone, and logs it once', async () => {
    const log: string[] = [];
    const server = await startTestServer({ log });
    const url = server.env['DATABASE_URL'] ?? '';
    await run(databaseUrl(url, 'postgres'), `drop database ${databaseName(url)} with (force)`);

    const first = await textOf(`${server.url}/readyz`);
    await setTimeout(1100);
    const second = await textOf(`${server.url}/readyz`);

    for (const answer of [first, second]) expect(answer).toEqual([503, 'The database cannot be reached.\n']);
    expect(await textOf(`${server.url}/healthz`)).toEqual([200, 'alive\n']);
    const lines = log.filter((line) => line.includes('the server is not ready'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 40,
        reason: expect.stringMatching(/^The database cannot be reached\.: .* database ".*" does not exist$/),
      }),
    ]);
  });

  it.runIf(engine === 'postgres')('returns 503 while the database lacks a migration', async () => {
    const server = await startTestServer();
    await run(server.env['DATABASE_URL'] ?? '', 'delete from migrations');

    const text = 'The database lacks migrations that this server needs.\n';
    expect(await textOf(`${server.url}/readyz`)).toEqual([503, text]);
  });
});

const folder = join(import.meta.dirname, '../../../server/monitoring');

function readMonitoring(file: string): Promise<string> {
  return readFile(join(folder, file), 'utf8');
}

it('/metrics has every metric that the alerts and the dashboard read', async () => {
  const nowhere = 'http://127.0.0.1:9';
  // Only servers with an issuer have metrics of tokens, and only servers with MCP skills have metrics of MCP servers.
  const env = { JWT_SECRET: '', JWKS_URL: `${nowhere}/keys`, MCP_SKILL_FILES_URL: `${nowhere}/mcp` };
  const { url } = await startTestServer({ env });
  const files = await Promise.all(['alerts.yaml', 'dashboard.json'].map(readMonitoring));
  const metric = /\b(?:worktable|http|database|chart|change|agent|token|log|process|nodejs)_[a-z0-9_]+/g;
  const names = new Set(files.join().match(metric));

  const text = await (await fetch(`${url}/metrics`)).text();

  expect(names.size).toBeGreaterThanOrEqual(26);
  const missing = [...names].filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(text));
  expect(missing.filter((name) => isShareable || !name.startsWith('database_'))).toEqual([]);
});

it('each alert has a runbook', async () => {
  const alerts = (await readMonitoring('alerts.yaml')).match(/(?<=alert: )\w+/g);

  const runbooks = (await readMonitoring('runbooks.md')).match(/(?<=^## )\w+$/gm);

  expect(runbooks).toEqual(alerts);
});

const promtool = versionOf('promtool');
if (promtool === undefined)
  console.warn(
    'promtool is missing, so the alerts are not tried. Install it (Debian: apt-get install prometheus).',
  );

it.runIf(promtool !== undefined).each([
  ['alerts fire when they should, and only then', 'test rules alerts.test.yaml'],
  ['configuration is valid', 'check config prometheus.yaml'],
])('promtool finds that the %s', (_what, args) => {
  const { status, stdout, stderr } = spawnSync('promtool', args.split(' '), {
    cwd: folder,
    encoding: 'utf8',
  });

  expect(stdout + stderr).toContain('SUCCESS');
  expect(status).toBe(0);
});
