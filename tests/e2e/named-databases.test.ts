import { existsSync } from 'node:fs';
import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { migrationNames } from '../support/migrations.ts';
import { run } from '../support/postgres.ts';
import { readSynopses, runCli, runNaming, runWithoutPrivilege, startProcess } from '../support/process.ts';
import { createOwner } from '../support/roles.ts';
import { createDatabase, engine, template } from '../support/server.ts';
import { secret } from '../support/tokens.ts';

const folder = await createFolder();
const synopses = (await readSynopses()).filter((synopsis) => !synopsis.startsWith('token '));
/** The commands that create a database, and what they say about it. */
const creating: Readonly<Record<string, string>> = {
  'serve [--demo]': '"msg":"the database was empty: its tables were created"',
  migrate: `\nMigrated: ${migrationNames.join(', ')}.\n`,
};

/** The words of a command with its required arguments. */
function wordsOf(synopsis: string): string[] {
  const required = synopsis.replaceAll(/ \[.*?\]/g, '');
  return required.replace('ID', 'alice').replace('TARGET', join(folder, 'target')).split(' ');
}

describe.runIf(engine === 'pglite').each(synopses)('%s', (synopsis) => {
  const dataDir = join(folder, synopsis.replaceAll(/\W+/g, '-'));
  const env = { DATA_DIR: dataDir, JWT_SECRET: secret, NODE_ENV: 'production' };

  it('names the embedded database, checks the settings, and creates a database only to serve or migrate', async () => {
    const isServer = synopsis.startsWith('serve');
    const { code, output } = isServer ? await startAndStop(env) : await runNaming(wordsOf(synopsis), env);

    expect(output).toMatch(new RegExp(`^Database: embedded, in ${dataDir} \\(DATA_DIR\\)$`, 'm'));
    expect(output).toContain('the embedded database in DATA_DIR is used in production');
    expect(output).toContain(creating[synopsis] ?? `${dataDir} has no database.`);
    const isCreated = synopsis in creating;
    expect(code).toBe(isCreated || synopsis === 'doctor' ? 0 : 1);
    expect([dataDir, join(folder, 'target')].map(existsSync)).toEqual([isCreated, false]);
  });
});

async function startAndStop(env: Readonly<Record<string, string>>): ReturnType<typeof runNaming> {
  const server = await startProcess(env);
  return { code: await server.stop('SIGTERM'), output: server.output() };
}

describe.runIf(engine === 'postgres')('on an empty Postgres,', () => {
  let url: URL;

  beforeAll(async () => {
    url = await createOwner(template.engine === 'postgres' ? template.url : '', 'named');
  });

  it.each(synopses.filter((synopsis) => !(synopsis in creating)))(
    '%s names it without user and password, and creates no tables',
    async (synopsis) => {
      const env = { DATABASE_URL: url.href, JWT_SECRET: secret, DATA_DIR: folder };
      const { code, output } = await runNaming(wordsOf(synopsis), env);

      const [line = ''] = /^Database: .*$/m.exec(output) ?? [];
      expect(line).toBe(`Database: Postgres ${url.host}${url.pathname} (DATABASE_URL)`);
      expect(output).toMatch(/The database lacks the migrations|does not have the extension citus/);
      expect(code).toBe(synopsis === 'doctor' ? 0 : 1);
      expect((await run(url.href, 'select from pg_tables where tableowner = current_user')).rowCount).toBe(0);
    },
  );

  it.each(['move', 'user copy alice'])('%s names its target, reachable or not', async (command) => {
    const { env } = await createDatabase();

    const { output } = await runNaming([...command.split(' '), '--to', url.href], env);

    expect(output).toMatch(new RegExp(`^Database: Postgres ${url.host}${url.pathname} \\(--to\\)$`, 'm'));
    const unreachable = await runCli([...command.split(' '), '--to', 'postgres://127.0.0.1:1/x'], env);
    expect(unreachable.output).toContain('Check --to.');
  });
});

describe.runIf(engine === 'pglite' && process.getuid?.() === 0)(
  'a data folder with a file of another user',
  () => {
    async function refusalsOf(name: string, run: typeof runWithoutPrivilege): Promise<void> {
      const { env } = await createDatabase();
      const path = join(env['DATA_DIR'] ?? '', name);
      if (name === 'database.lock') await runCli(['recount'], env);
      await chmod(path, 0o700);
      await chown(path, 1, 1);

      for (const command of ['recount', 'migrate'])
        expect(await run([command], env)).toEqual({
          code: 1,
          output: expect.stringContaining(
            `The server cannot use ${join(path, name === '' ? 'database' : '')}`,
          ),
        });
    }

    it.each(['', 'database.lock', 'database', 'database/global/pg_control'])(
      'is not called damaged: %s',
      (name) => refusalsOf(name, runWithoutPrivilege),
    );

    it('is not used by root, whose new files would lock this user out', () => refusalsOf('database', runCli));
  },
);
