import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUpAfter } from '../support/cleanup.ts';
import { freePort } from '../support/free-port.ts';
import { versionOf } from '../support/installed.ts';
import { hasNginx, nginxMissing, startNginx } from '../support/nginx.ts';
import { programEnvironment, run } from '../support/postgres.ts';
import { startByBash, type RunningProcess } from '../support/process.ts';
import { createDatabase, engine } from '../support/server.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'monitoring/*.md'], { cwd: join(root, 'server') });

function snippets(page: string, language: string): { name: string; text: string }[] {
  const text = readFileSync(join(root, 'server', page), 'utf8');
  const blocks = [...text.matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\``, 'gm'))];
  return blocks.map(([, block = '']) => ({ name: `${page}: ${block.trim().split('\n')[0]}`, text: block }));
}

/** The only code block of install.md with these words. */
function snippetWith(language: string, words: string): string {
  const [snippet, ...others] = snippets('install.md', language).filter(({ text }) => text.includes(words));
  if (snippet === undefined || others.length > 0)
    throw new Error(`server/install.md must have one snippet with "${words}".`);
  return snippet.text;
}

describe.runIf(engine === 'postgres')('the snippets of the operator', () => {
  it.each(pages.flatMap((page) => snippets(page, 'sh')))('for bash are well-formed: $name', ({ text }) => {
    expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
  });

  it('for systemd are a unit without faults', async (test) => {
    test.skip(
      versionOf('systemd-analyze') === undefined,
      'systemd-analyze is missing, so the unit is not verified. Install it (Debian: apt-get install systemd).',
    );
    const folder = await mkdtemp(join(tmpdir(), 'worktable-unit-'));
    cleanUpAfter(() => rm(folder, { recursive: true }));
    const file = join(folder, 'worktable@.service');
    await writeFile(file, snippetWith('ini', '[Service]').replaceAll('/opt/worktable/current', root));

    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });

    expect(stderr).toBe('');
  });

  it('name the same ports for systemd, Prometheus and nginx, which waits longer than a request may', () => {
    const nginx = snippetWith('nginx', 'upstream');
    const ports = [...nginx.matchAll(/server 127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
    const instances = [...snippetWith('sh', 'systemctl enable').matchAll(/worktable@(\d+)/g)];

    expect(instances.map(([, port]) => port)).toEqual(ports);
    const scraped = readFileSync(join(root, 'server/monitoring/prometheus.yaml'), 'utf8');
    expect([...scraped.matchAll(/'127\.0\.0\.1:(\d+)'/g)].map(([, port]) => port)).toEqual(ports);
    expect(Number(/proxy_read_timeout (\d+)s/.exec(nginx)?.[1])).toBeGreaterThan(600);
  });
});

const hasPsql = versionOf('psql') !== undefined;
if (engine === 'postgres' && !hasPsql)
  console.warn(
    'psql is missing, so the installation is not tried. Install it (Debian: apt-get install postgresql-client).',
  );
if (engine === 'postgres' && !hasNginx) console.warn(nginxMissing);

describe.runIf(engine === 'postgres' && hasPsql)('the steps of an installation', () => {
  const name = `worktable_installed_${process.pid}`;
  let folder: string;
  let admin: URL;

  beforeAll(async () => {
    const { env } = await createDatabase();
    admin = new URL(env['DATABASE_URL'] ?? '');
    folder = await mkdtemp(join(tmpdir(), 'worktable-install-'));
    bash(adapted(snippetWith('sh', 'git clone')));
    bash(adapted(snippetWith('sh', 'create role')));
    bash(adapted(snippetWith('sh', 'cli.ts migrate\nsystemctl')));
  });

  afterAll(async () => {
    await run(admin.href, `drop database if exists ${name} with (force)`);
    await run(admin.href, `drop role if exists ${name}`);
    await rm(folder, { recursive: true });
  });

  /** Adapts a code block to this repository and its packages, this Postgres, a separate role, and the test's user. */
  function adapted(text: string): string {
    return text
      .replaceAll(/\bworktable\b/g, name)
      .replaceAll(/^systemctl .*|^nginx .*|^useradd .*|^runuser .* doctor$|runuser -u \w+ -- /gm, '')
      .replaceAll('REPOSITORY', `file://${root}`)
      .replaceAll(/^bash scripts\/bootstrap.sh .*/gm, `ln -s ${root}/node_modules`)
      .replaceAll(`/opt/${name}`, folder)
      .replaceAll(`/etc/${name}.env`, join(folder, 'env'))
      .replaceAll(`/var/lib/${name}`, join(folder, 'data'))
      .replaceAll('127.0.0.1:5432', admin.host);
  }

  const loadEnvironment = (): string => `cd ${folder}/current; set -a; . ${join(folder, 'env')}; set +a`;

  /** Runs bash as an administrator of Postgres. Returns the output. */
  function bash(script: string): string {
    const env = { ...programEnvironment(admin.href), PGDATABASE: admin.pathname.slice(1) };
    const { status, stdout, stderr } = spawnSync('bash', ['-ec', script], { encoding: 'utf8', env });
    if (status !== 0) throw new Error(`The script ended with ${String(status)}: ${stdout}${stderr}`);
    return stdout;
  }

  it.each(pages.flatMap((page) => snippets(page, 'sql')))(
    'have SQL that Postgres executes: $name',
    ({ text }) => {
      bash(`psql --set=ON_ERROR_STOP=1 ${name} <<'END'\nbegin;\n${adapted(text)}\nrollback;\nEND`);
    },
  );

  describe('make servers', () => {
    const cli = 'node_modules/.bin/node server/src/cli.ts';
    const servers: RunningProcess[] = [];
    let ports: readonly [number, number];
    let url: string;
    let headers: Record<string, string>;
    const everyOutcome = ['POST 201', 'GET 200', 'PUT 200', 'DELETE 200'];

    beforeAll(async () => {
      ports = [await freePort(), await freePort()];
      servers.push(...(await Promise.all(ports.map(startOn))));
      url = hasNginx ? await startNginx(ports) : (servers[0]?.url ?? '');
      const token = bash(`${loadEnvironment()}; ${cli} token --user alice`).trim();
      headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    });

    afterAll(async () => {
      for (const server of servers) await server.stop('SIGKILL');
    });

    /** Starts a server as its unit of systemd does. */
    function startOn(port: number): Promise<RunningProcess> {
      const [, command = ''] = /^ExecStart=(.*)$/m.exec(adapted(snippetWith('ini', '[Service]'))) ?? [];
      return startByBash(`${loadEnvironment()}; exec ${command}`, { PORT: String(port) });
    }

    /** Creates, reads, updates and deletes tasks until `isOver`. Resolves to what became of each request. */
    async function work(isOver: () => boolean): Promise<string[]> {
      const outcomes: string[] = [];
      const send = async (method: string, path = '', body?: object) => {
        const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        const response = await fetch(`${url}/api/tasks${path}`, sent);
        outcomes.push(`${method} ${response.status}`);
        return (await response.json()) as { readonly task?: { readonly id: string } };
      };
      while (!isOver()) {
        try {
          const { task } = await send('POST', '', { title: 'Roll' });
          await send('GET', `/${task?.id ?? ''}`);
          await send('PUT', `/${task?.id ?? ''}`, { title: 'Rolled' });
          await send('DELETE', `/${task?.id ?? ''}`);
        } catch (error) {
          outcomes.push(String(error));
        }
      }
      return outcomes;
    }

    it('that answer, and in which the doctor finds nothing wrong', async () => {
      let rounds = 0;

      expect(await work(() => rounds++ > 0)).toEqual(everyOutcome);
      expect(bash(`${loadEnvironment()}; ${cli} doctor`)).toMatch(/^ok +database/m);
      expect((await stat(join(folder, 'env'))).mode & 0o777).toBe(0o600);
    });

    it.runIf(hasNginx)(
      'that are restarted behind nginx one after the other without a lost request',
      async () => {
        let isOver = false;
        const clients = Array.from({ length: 8 }, () => work(() => isOver));
        for (const [i, port] of ports.entries()) {
          expect(await servers[i]?.stop('SIGTERM')).toBe(0);
          servers[i] = await startOn(port);
        }
        isOver = true;
        const outcomes = (await Promise.all(clients)).flat();

        expect([...new Set(outcomes)].toSorted()).toEqual(everyOutcome.toSorted());
        expect(outcomes.length).toBeGreaterThan(100);
      },
    );

    it.runIf(hasNginx)('that keep probes and metrics to themselves', async () => {
      for (const path of ['/metrics', '/readyz', '/healthz'])
        expect((await fetch(url + path)).status, path).toBe(404);
    });
  });
});
