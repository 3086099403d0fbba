import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../server/src/config/config.ts';
import { settings } from '../../server/src/config/settings.ts';
import { findUnknownVariables } from '../../server/src/config/warnings.ts';

const root = join(import.meta.dirname, '../..');

describe('a setting that decides several values', () => {
  it('DATABASE_STATEMENT_TIMEOUT: the other waits, and half of it for a lock', () => {
    expect(readConfig({ DATABASE_STATEMENT_TIMEOUT: '3001ms' }).database).toMatchObject({
      statementTimeoutMs: 3001,
      poolWaitMs: 3001,
      idleTransactionTimeoutMs: 3001,
      lockTimeoutMs: 1501,
    });
  });

  it.each([
    ['2', 400],
    ['20', 400],
    ['50', 1000],
  ])('DATABASE_POOL_SIZE %s: %i requests', (DATABASE_POOL_SIZE, concurrentRequestsMax) => {
    expect(readConfig({ DATABASE_POOL_SIZE })).toMatchObject({ concurrentRequestsMax });
  });

  it('JWT_SECRET: the secret that signs, and one whose tokens are valid too', () => {
    const [secret, previousSecret] = ['a new one'.padEnd(32, '.'), 'an old one'.padEnd(32, '.')];

    for (const lineBreak of ['\n', '\\n'])
      expect(readConfig({ JWT_SECRET: `${secret}${lineBreak}${previousSecret}` }).tokens).toMatchObject({
        secret,
        previousSecret,
      });
  });

  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
  ])('AGENT_RUN_TIMEOUT %s: %i milliseconds', (AGENT_RUN_TIMEOUT, runMs) => {
    expect(readConfig({ AGENT_RUN_TIMEOUT }).agents).toMatchObject({ runMs });
  });

  it.each([
    ['1', 0],
    ['3', 1],
    ['8', 2],
  ])('AGENT_CONCURRENCY %s: %i workers for users without an active run', (AGENT_CONCURRENCY, keptWorkers) => {
    expect(readConfig({ AGENT_CONCURRENCY }).agents).toMatchObject({ keptWorkers });
  });

  it('AGENT_RUN_TIMEOUT: two fifths for a step, a fifth for a tool', () => {
    expect(readConfig({}).agents).toMatchObject({ runMs: 300_000, stepMs: 120_000, toolMs: 60_000 });
  });

  it.each([
    ['0', { requestsPerCaller: 0, runsPerCaller: 0, runsPerAgent: 0 }],
    ['1', { requestsPerCaller: 1, runsPerCaller: 1, runsPerAgent: 1 }],
    ['600', { requestsPerCaller: 600, runsPerCaller: 60, runsPerAgent: 30 }],
  ])('AGENT_REQUESTS_PER_MINUTE %s: %j', (AGENT_REQUESTS_PER_MINUTE, limits) => {
    expect(readConfig({ AGENT_REQUESTS_PER_MINUTE }).agents.limits).toEqual(limits);
  });

  it.each([
    ['MY_LOCAL', 'my-local', 'builtin'],
    ['DEFAULT', 'default', 'default'],
  ])('AGENT_RUNTIME_%s_URL: a runtime %s, and the default %s', (variable, name, defaultRuntime) => {
    const url = 'http://127.0.0.1:1/v1';
    const env = { [`AGENT_RUNTIME_${variable}_URL`]: url, [`AGENT_RUNTIME_${variable}_MODEL`]: 'small' };

    expect(readConfig(env).agents).toMatchObject({ defaultRuntime, models: [{ name, model: 'small' }] });
  });
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
    const names = text.match(/(?<![\w.])[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
    return findUnknownVariables(Object.fromEntries(names.map((name) => [name, 'x']))).map(
      (name) => `${file} names ${name}, which server/src/config/settings.ts does not have`,
    );
  });

  expect(files).toContain('server/README.md');
  expect(unknown).toEqual([]);
});

const keys = Object.values(settings).flatMap((group) => Object.keys(group));

/** The words of the code that may read settings. Excluded are the files that define them or replace their values. */
const words = new Set(
  globSync('**/*.ts', {
    cwd: join(root, 'server/src'),
    exclude: ['config/{settings,demo}.ts', 'generated/**'],
  }).flatMap(
    (file) =>
      readFileSync(join(root, 'server/src', file), 'utf8')
        .replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
        .match(/\w+/g) ?? [],
  ),
);

it.each(keys)('the setting %s is read', (key) => {
  expect(words).toContain(key);
});
