import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { versionOf } from '../../support/installed.ts';
import { isShareable, startTestServer } from '../../support/server.ts';

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
