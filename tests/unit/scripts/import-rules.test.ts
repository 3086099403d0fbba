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
  ['server/src/contract/problem.ts', 'server/src/http/app.ts'],
  ['server/src/db/tables.ts', 'server/src/db/migrate.ts'],
  ['server/src/auth/keys.ts', 'koa'],
  ['server/src/http/app.ts', 'openapi-backend'],
  ['server/src/tasks/find-task.ts', 'pg'],
  ['server/charts/src/layout/pie/pie.ts', 'canvas'],
  ['server/charts/src/request/chart.ts', 'server/src/contract/problem.ts'],
  ['server/src/viz/handlers.ts', 'server/charts/src/layout/layout.ts'],
  ['server/src/viz/render-pool.ts', 'jspdf'],
  ['server/src/auth/keys.ts', 'openai'],
  ['server/src/agents/start.ts', '@modelcontextprotocol/client'],
  ['server/src/auth/keys.ts', 'node:process'],
  ['server/src/tasks/task.ts', 'node:fs'],
  ['server/charts/src/scene.ts', 'uuid'],
  ['server/src/config/setting.ts', 'server/src/ops/log.ts'],
  ['sdk/src/client.ts', 'node:fs'],
  ['sdk/src/client.ts', 'server/src/contract/operation.ts'],
] as const;

interface Report {
  readonly summary: { readonly violations: readonly { readonly from: string; readonly to: string }[] };
}

/** What `npm run check` would report about the sources in a folder: pairs of importing and imported file. */
async function violationsIn(folder: string): Promise<Report['summary']['violations']> {
  const depcruise = join(root, 'node_modules/.bin/depcruise');
  const config = ['--config', join(root, '.dependency-cruiser.js'), '--output-type', 'json'];
  const options = { cwd: folder, maxBuffer: 2 ** 24 };
  // With violations, the command fails, but also prints its report.
  const failed = (error: { stdout: string }): { stdout: string } => error;
  const { stdout } = await promisify(execFile)(
    depcruise,
    [...config, 'server/src', 'server/charts/src', 'sdk/src'],
    options,
  ).catch(failed);
  return (JSON.parse(stdout) as Report).summary.violations;
}

/** Writes a file with imports: paths are modules of the folder, other names are packages. */
async function writeSource(folder: string, file: string, imported: readonly string[]): Promise<void> {
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  const lines = imported.map((name, i) => {
    const target = name.includes('/src/') ? `./${relative(dirname(path), join(folder, name))}` : name;
    return `import * as i${i} from '${target}';\n`;
  });
  await writeFile(path, `${lines.join('')}export const text = '';\n`);
}

describe('the rules for imports', () => {
  let violations: Report['summary']['violations'];

  beforeAll(async () => {
    const folder = await createFolder();
    const imports = new Map<string, string[]>();
    for (const [file, imported] of forbidden) {
      imports.set(file, [...(imports.get(file) ?? []), imported]);
      if (imported.includes('/src/')) imports.set(imported, imports.get(imported) ?? []);
    }
    for (const [file, names] of imports) await writeSource(folder, file, names);
    for (const name of ['node_modules', 'tests', 'tsconfig.base.json'])
      await symlink(join(root, name), join(folder, name));
    violations = await violationsIn(folder);
  });

  // Imports that are allowed are in the sources, in which `npm run check` would report them.
  it.each(forbidden)('report that %s imports %s', (file, imported) => {
    const isReported = violations.some(
      ({ from, to }) =>
        from === file && ([to, `node:${to}`].includes(imported) || to.includes(`node_modules/${imported}`)),
    );
    expect(isReported, JSON.stringify(violations)).toBe(true);
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
    ['server/charts/src/layout/pie/pie.ts', 'export const id = crypto.randomUUID();'],
    ['server/charts/src/layout/pie/pie.ts', 'export const id = performance.now();'],
    ['server/src/auth/keys.ts', "export const value = process['env'];"],
    ['server/src/cli.ts', 'export const value = process.env.PORT;'],
  ])('report that %s contains %s', async (filePath, text) => {
    const [result] = await eslint.lintText(text, { filePath: join(root, filePath) });
    expect(result?.messages.map(({ ruleId }) => ruleId).join()).toMatch(/no-restricted/);
  });
});
