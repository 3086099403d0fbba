import { expect, it } from 'vitest';
import { modelEnv } from '../support/model-server.ts';
import { runCli } from '../support/process.ts';
import { createRole } from '../support/roles.ts';
import { createDatabase, engine, startTestServer } from '../support/server.ts';
import { secret } from '../support/tokens.ts';

const database = await createDatabase();
const grantTables = (role: string): string =>
  `grant usage on schema public to ${role};
   grant select, insert, update, delete on all tables in schema public to ${role};`;

/** The output of the command, by check. */
async function doctor(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; lines: Record<string, string> }> {
  const { code, output } = await runCli(['doctor'], { JWT_SECRET: secret, ...env });
  const lines = [...output.matchAll(/^(\w+) +(\w+) *(.*)$/gm)].map(
    ([, level = '', name = '', text = '']) => [name, `${level} ${text}`.trim()] as const,
  );
  return { code, lines: Object.fromEntries(lines) };
}

it('doctor finds nothing wrong with an installation that works', async () => {
  const { code, lines } = await doctor(database.env);

  expect(code).toBe(0);
  const okOrWarning: unknown = expect.stringMatching(/^(ok|warning)/);
  const others = { disk: okOrWarning, database: okOrWarning };
  expect(lines).toMatchObject({ settings: 'ok', keys: 'ok', clock: 'ok', ...others });
});

it.runIf(engine === 'postgres')(
  'doctor says what is wrong with settings, keys, a database and servers of agents, and goes on',
  async () => {
    const url = 'postgres://nobody:secret@127.0.0.1:1/nowhere';
    const others = { MCP_SKILL_FILES_URL: 'http://127.0.0.1:2/mcp', FONTCONFIG_SYSROOT: '/empty' };
    const agents = { ...modelEnv({ url: 'http://127.0.0.1:2/v1' }), ...others };
    const env = {
      ...database.env,
      ...agents,
      JWT_SECRET: '',
      DATABASE_URL: url,
      JWT_ISSUER: 'http://127.0.0.1:3',
    };
    const { code, lines } = await doctor(env);

    expect(code).toBe(1);
    expect(lines).toMatchObject({
      settings: expect.stringMatching(/^warning JWT_AUDIENCE is not set/),
      keys: expect.stringMatching(/^wrong .*cannot be fetched/),
      fonts: expect.stringMatching(/^warning Charts show boxes for .*한/),
      models: 'warning The model server "local" cannot be reached: ECONNREFUSED.',
      skills: 'warning The MCP server "files" cannot be reached (ECONNREFUSED).',
      database: expect.stringMatching(/^wrong The database cannot be used\. Check DATABASE_URL\./),
    });
  },
);

it.runIf(engine === 'pglite')('doctor does not check a database that a server uses', async () => {
  const other = await createDatabase();
  await startTestServer({ sharing: other });

  const { code, lines } = await doctor(other.env);

  expect([code, lines['database']]).toEqual([
    0,
    expect.stringMatching(/^warning Not checked: Another process uses/),
  ]);
});

it.runIf(engine === 'postgres')(
  'doctor names wrong settings, a pool that is too large, and each table that lacks a right',
  async () => {
    const { env } = await createDatabase();
    const url = await createRole(
      env['DATABASE_URL'] ?? '',
      'doctor',
      (role) => `
        ${grantTables(role)}
        grant create on schema public to ${role};
        revoke select on agents from ${role};
        revoke insert on rate_limits from ${role};
        revoke update on runs from ${role};
        revoke delete on tasks from ${role};
        alter role ${role} set session_replication_role = replica`,
    );

    const { code, lines } = await doctor({ DATABASE_URL: url.href, DATABASE_POOL_SIZE: '1000' });

    expect(code).toBe(1);
    expect(lines['database']).toMatch(
      /^wrong The sessions of this server have settings .*session_replication_role/,
    );
    expect(lines['role']).toMatch(
      /^wrong .* may not read and write agents, rate_limits, runs, tasks\..*server\/install\.md/,
    );
    expect(lines['pool']).toMatch(/^warning DATABASE_POOL_SIZE is 1000, but Postgres accepts \d+ /);
  },
);

it.runIf(engine === 'postgres')('doctor warns of a role that may not migrate', async () => {
  const { env } = await createDatabase();
  const url = await createRole(env['DATABASE_URL'] ?? '', 'reader', grantTables);

  const { lines } = await doctor({ DATABASE_URL: url.href });

  expect(lines['role']).toMatch(/^warning .* may not create tables\. Run `.* migrate` as their owner/);
});
