import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';

const root = join(import.meta.dirname, '../../..');

const forbidden = [
  ['server/src/tasks/find-task.ts', 'server/src/agents/agent-store.ts'],
  ['server/src/tasks/handlers.ts', 'kysely'],
  ['server/src/tasks/handlers.ts', 'server/src/http/request/body.ts'],
  ['server/src/db/idempotency-keys.ts', 'server/src/tasks/handlers.ts'],
  ['server/src/errors.ts', 'server/src/http/app.ts'],
  ['server/src/db/tables.ts', 'server/src/db/migrate.ts'],
  ['server/src/auth/keys.ts', 'koa'],
  ['server/src/http/app.ts', 'openapi-backend'],
  ['server/src/tasks/find-task.ts', 'pg'],
  ['server/src/viz/layout/pie.ts', 'canvas'],
  ['server/src/viz/render-pool.ts', 'jspdf'],
  ['server/src/agents/worker.ts', '@ai-sdk/openai-compatible'],
  ['server/src/auth/keys.ts', 'openai'],
  ['server/src/agents/start.ts', '@modelcontextprotocol/client'],
  ['server/src/auth/keys.ts', 'node:process'],
  ['server/src/tasks/task.ts', 'node:fs'],
  ['server/src/viz/scene.ts', 'uuid'],
  ['server/src/config/setting.ts', 'server/src/log.ts'],
  ['sdk/src/client.ts', 'node:fs'],
  ['sdk/src/client.ts', 'server/src/operation.ts'],
] as const;

const allowed = [
  ['server/src/tasks/list.ts', 'kysely'],
  ['server/src/tasks/access.ts', 'server/src/tasks/find-task.ts'],
  ['server/src/http/handle-request.ts', 'server/src/operation.ts'],
  ['server/src/db/postgres/postgres.ts', 'pg'],
  ['server/src/db/database.ts', 'server/src/db/tables.ts'],
  ['server/src/viz/paint/png.ts', 'canvas'],
  ['sdk/src/transport.ts', 'openapi-fetch'],
] as const;

interface Report {
  readonly summary: { readonly violations: readonly { readonly from: string; readonly to: string }[] };
}

/** The violations that `npm run check` would report in a folder. */
async function report(folder: string): Promise<Report> {
  const depcruise = join(root, 'node_modules/.bin/depcruise');
  const args = [
    '--config',
    join(root, '.dependency-cruiser.js'),
    '--output-type',
    'json',
    'server/src',
    'sdk/src',
  ];
  const failed = (error: { stdout: string }): { stdout: string } => error;
  const { stdout } = await promisify(execFile)(depcruise, args, { cwd: folder, maxBuffer: 2 ** 24 }).catch(
    failed,
  );
  return JSON.parse(stdout) as Report;
}

describe('the rules for imports', () => {
  let folder: string;
  const broken = new Set<string>();

  beforeAll(async () => {
    folder = await createFolder();
    const imports = new Map<string, string[]>();
    for (const [file, imported] of [...forbidden, ...allowed]) {
      imports.set(file, [...(imports.get(file) ?? []), imported]);
      if (imported.includes('/src/')) imports.set(imported, imports.get(imported) ?? []);
    }
    for (const [file, names] of imports) await writeSource(join(folder, file), names);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await symlink(join(root, 'tests'), join(folder, 'tests'));
    await symlink(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
    const { summary } = await report(folder);
    for (const { from, to } of summary.violations) broken.add(`${from} ${to}`);
  });

  async function writeSource(path: string, names: readonly string[]): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    const lines = names.map((name, i) => {
      const target = name.includes('/src/') ? relative(dirname(path), join(folder, name)) : name;
      return `import * as i${i} from '${target.startsWith('.') || !name.includes('/src/') ? target : `./${target}`}';\n`;
    });
    await writeFile(path, `${lines.join('')}export const text = '';\n`);
  }

  const isReported = (file: string, imported: string): boolean =>
    [...broken].some((each) => {
      const [from, to = ''] = each.split(' ');
      return (
        from === file &&
        (to === imported || `node:${to}` === imported || to.includes(`node_modules/${imported}`))
      );
    });

  it.each(forbidden)('report that %s imports %s', (file, imported) => {
    expect(isReported(file, imported), [...broken].join('\n')).toBe(true);
  });

  it.each(allowed)('let %s import %s', (file, imported) => {
    expect(isReported(file, imported)).toBe(false);
  });
});

describe('the rules for code', () => {
  const eslint = new ESLint({
    cwd: root,
    overrideConfig: tseslint.configs.disableTypeChecked as Linter.Config,
  });

  it.each([
    ['server/src/tasks/task.ts', 'export const now = Date.now();'],
    ['server/src/tasks/task.ts', 'export const now = new Date();'],
    ['server/src/tasks/task.ts', 'export const chance = Math.random();'],
    ['server/src/viz/layout/pie.ts', 'export const id = crypto.randomUUID();'],
    ['server/src/viz/layout/pie.ts', 'export const id = performance.now();'],
    ['server/src/auth/keys.ts', "export const value = process['env'];"],
    ['server/src/cli.ts', 'export const value = process.env.PORT;'],
  ])('report that %s contains %s', async (filePath, text) => {
    const [result] = await eslint.lintText(text, { filePath: join(root, filePath) });
    expect(result?.messages.map(({ ruleId }) => ruleId).join()).toMatch(/no-restricted/);
  });
});
