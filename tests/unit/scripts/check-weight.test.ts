import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';

const script = join(import.meta.dirname, '../../../scripts/check-weight.ts');
const file = '.ci/weight.json';

/** A Git repository with five lines of code, three words of Markdown, and a file that Git does not track. */
async function createRepository(weight: object): Promise<string> {
  const folder = await createFolder();
  const texts = {
    'server/src/task.ts': 'one\ntwo\n',
    'server/src/generated/contract.ts': 'generated\n',
    'server/charts/src/pie.ts': 'one\n',
    'scripts/start.sh': 'one\n',
    'tests/task.test.ts': 'one\n',
    'README.md': 'three whole  words\n',
    [file]: JSON.stringify(weight),
  };
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const args of [['init'], ['add', '.']]) spawnSync('git', args, { cwd: folder });
  await writeFile(join(folder, 'tests/untracked.ts'), 'one\n');
  return folder;
}

function check(folder: string, ...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

async function weightOf(folder: string): Promise<Record<string, number>> {
  return JSON.parse(await readFile(join(folder, file), 'utf8')) as Record<string, number>;
}

const exact = {
  'server/src without charts': 2,
  charts: 1,
  'sdk/src': 0,
  scripts: 1,
  tests: 1,
  Markdown: 3,
  settings: expect.any(Number) as number,
};

describe('the weight of the repository', () => {
  it('is written with --lower where there is no number, and then passes without a word', async () => {
    const folder = await createRepository({});

    expect(check(folder)).toMatchObject({
      status: 1,
      output: expect.stringContaining('charts: 1 lines, and no number'),
    });
    expect(check(folder, '--lower')).toEqual({ status: 0, output: '' });
    expect(await weightOf(folder)).toEqual(exact);
    expect(check(folder)).toEqual({ status: 0, output: '' });
  });

  it('fails where it has grown, says where it has become smaller and what to do, and raises no number', async () => {
    const folder = await createRepository({ ...exact, settings: 1000, tests: 0, Markdown: 1, charts: 7 });

    const { status, output } = check(folder);

    expect(status).toBe(1);
    expect(output).toContain('tests: 1 lines, 1 more than .ci/weight.json allows.\n');
    expect(output).toContain('Markdown: 3 words, 2 more than .ci/weight.json allows.\n');
    expect(output).toContain('Remove as much as you add');
    expect(output).toContain('charts: 1 lines, 6 fewer than .ci/weight.json allows.\n');
    expect(output).toContain('npm run check:weight -- --lower');
    expect(check(folder, '--lower').status).toBe(1);
    expect(await weightOf(folder)).toEqual({ ...exact, tests: 0, Markdown: 1 });
  });

  it('passes where it has only become smaller', async () => {
    expect(check(await createRepository({ ...exact, settings: 1000, charts: 7 })).status).toBe(0);
  });
});
