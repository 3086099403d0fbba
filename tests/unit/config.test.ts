import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../server/src/config/config.ts';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import { isSetting } from '../support/config.ts';

const root = join(import.meta.dirname, '../..');

const [secret, previousSecret] = ['a new one'.padEnd(32, '.'), 'an old one'.padEnd(32, '.')];
const url = 'http://127.0.0.1:1/v1';
const runtime = (variable: string): NodeJS.ProcessEnv => ({
  [`AGENT_RUNTIME_${variable}_URL`]: url,
  [`AGENT_RUNTIME_${variable}_MODEL`]: 'small',
});
const limits = (requestsPerCaller: number, runsPerCaller: number, runsPerAgent: number): object => ({
  agents: { limits: { requestsPerCaller, runsPerCaller, runsPerAgent } },
});

it.each<[NodeJS.ProcessEnv, object]>([
  [
    { DATABASE_STATEMENT_TIMEOUT: '3001ms' },
    {
      database: {
        ...{ statementTimeoutMs: 3001, poolWaitMs: 3001, idleTransactionTimeoutMs: 3001 },
        lockTimeoutMs: 1501,
      },
    },
  ],
  [{ DATABASE_POOL_SIZE: '2' }, { concurrentRequestsMax: 400 }],
  [{ DATABASE_POOL_SIZE: '20' }, { concurrentRequestsMax: 400 }],
  [{ DATABASE_POOL_SIZE: '50' }, { concurrentRequestsMax: 1000 }],
  [{ JWT_SECRET: `${secret}\n${previousSecret}` }, { tokens: { secret, previousSecret } }],
  [{ JWT_SECRET: `${secret}\\n${previousSecret}` }, { tokens: { secret, previousSecret } }],
  [{}, { agents: { runMs: 300_000, stepMs: 120_000, toolMs: 60_000 } }],
  [{ AGENT_RUN_TIMEOUT: '250ms' }, { agents: { runMs: 250, stepMs: 100, toolMs: 50 } }],
  [{ AGENT_RUN_TIMEOUT: '30s' }, { agents: { runMs: 30_000 } }],
  [{ AGENT_RUN_TIMEOUT: '5m' }, { agents: { runMs: 300_000 } }],
  [{ AGENT_RUN_TIMEOUT: '1h' }, { agents: { runMs: 3_600_000 } }],
  [{ AGENT_CONCURRENCY: '1' }, { agents: { keptWorkers: 0 } }],
  [{ AGENT_CONCURRENCY: '3' }, { agents: { keptWorkers: 1 } }],
  [{ AGENT_CONCURRENCY: '8' }, { agents: { keptWorkers: 2 } }],
  [{ AGENT_REQUESTS_PER_MINUTE: '0' }, limits(0, 0, 0)],
  [{ AGENT_REQUESTS_PER_MINUTE: '1' }, limits(1, 1, 1)],
  [{ AGENT_REQUESTS_PER_MINUTE: '600' }, limits(600, 60, 30)],
  [
    runtime('MY_LOCAL'),
    { agents: { defaultRuntime: 'builtin', models: [{ name: 'my-local', model: 'small' }] } },
  ],
  [
    runtime('DEFAULT'),
    { agents: { defaultRuntime: 'default', models: [{ name: 'default', model: 'small' }] } },
  ],
])('the settings %j decide the values %j', (env, values) => {
  expect(readConfig(env)).toMatchObject(values);
});

/** How many seconds before the newest `updated_at` the contract advises to begin the next list. */
const [, overlapS] =
  /(\d+)\sseconds before the newest/.exec(
    document.paths['/api/tasks'].get.parameters.find(({ name }) => name === 'updated_since')?.description ??
      '',
  ) ?? [];

it('the overlap that the contract advises is longer than a statement may take by default', () => {
  expect(Number(overlapS) * 1000).toBeGreaterThan(readConfig({}).database.statementTimeoutMs);
});

it('documents, comments and descriptions name only settings that exist', () => {
  const paths = [
    '{.,sdk,openapi,server,tests/*}/*.{md,yaml}',
    'server/Containerfile',
    'server/src/**/*.{ts,md}',
  ];
  const files = globSync(paths, { cwd: root, exclude: ['**/generated/**'] });
  const unknown = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll('<NAME>', 'NAME');
    const names =
      text.match(/(?<![\w.])(?:AGENT|CORS|DATABASE|JW|MAX|MCP|RETENTION)[A-Z]*(?:_[A-Z]+)+\b/g) ?? [];
    return names
      .filter((name) => !isSetting(name))
      .map((name) => `${file} names ${name}, which server/src/config/settings.ts does not have`);
  });

  expect(files).toContain('server/README.md');
  expect(unknown).toEqual([]);
});
