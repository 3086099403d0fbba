import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { versionOf } from '../../support/installed.ts';
import { monitoredMetrics, monitoringFolder, readMonitoring } from '../../support/monitoring.ts';
import { startTestServer } from '../../support/server.ts';

it('/metrics has the metrics of tokens that the alerts and the dashboard read', async () => {
  const { url } = await startTestServer({ env: { JWT_SECRET: '', JWKS_URL: 'http://127.0.0.1:9/keys' } });
  const names = (await monitoredMetrics()).filter((name) => name.startsWith('token_'));

  const text = await (await fetch(`${url}/metrics`)).text();

  expect(names).not.toEqual([]);
  expect(names.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(text))).toEqual([]);
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

it.runIf(promtool !== undefined)('promtool finds that the alerts fire when they should', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: monitoringFolder,
    encoding: 'utf8',
  });

  expect(stdout + stderr).toContain('SUCCESS');
  expect(status).toBe(0);
});
