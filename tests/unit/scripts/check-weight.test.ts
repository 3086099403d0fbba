import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';

const file = '.ci/weight.json';
const exact = {
  ...{ 'server/src without charts': 2, charts: 1, 'sdk/src': 0, scripts: 1, tests: 1, Markdown: 3 },
  settings: expect.any(Number) as number,
};

/** A Git repository with five lines of code, three words of Markdown, and a file that Git does not track. */
async function createRepository(weight: object) {
  const folder = await createFolder();
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write('server/src/task.ts', 'one\ntwo\n');
  await write('server/src/generated/contract.ts', 'generated\n');
  for (const path of ['server/charts/src/pie.ts', 'scripts/start.sh', 'tests/task.test.ts'])
    await write(path, 'one\n');
  await write('README.md', 'three whole  words\n');
  await write(file, JSON.stringify(weight));
  for (const args of [['init'], ['add', '.']]) spawnSync('git', args, { cwd: folder });
  await write('tests/untracked.ts', 'one\n');
  return {
    check: (...args: string[]): { status: number | null; output: string } => {
      const script = join(import.meta.dirname, '../../../scripts/check-weight.ts');
      const options = { cwd: folder, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options);
      return { status, output: stdout + stderr };
    },
    readWeight: async (): Promise<unknown> => JSON.parse(await readFile(join(folder, file), 'utf8')),
  };
}

describe('the weight of the repository', () => {
  it('is written with --lower where there is no number, and then passes without a word', async () => {
    const { check, readWeight } = await createRepository({});

    const missing = expect.stringContaining('charts: 1 lines, and no number') as string;
    expect(check()).toEqual({ status: 1, output: missing });
    expect(check('--lower')).toEqual({ status: 0, output: '' });
    expect(await readWeight()).toEqual(exact);
    expect(check()).toEqual({ status: 0, output: '' });
  });

  it('fails where it has grown, says where it has become smaller and what to do, and raises no number', async () => {
    const weight = { ...exact, settings: 1000, tests: 0, Markdown: 1, charts: 7 };
    const { check, readWeight } = await createRepository(weight);

    const { status, output } = check();

    expect(status).toBe(1);
    expect(output).toContain('tests: 1 lines, 1 more than .ci/weight.json allows.\n');
    expect(output).toContain('Markdown: 3 words, 2 more than .ci/weight.json allows.\n');
    expect(output).toContain('Remove as much as you add');
    expect(output).toContain('charts: 1 lines, 6 fewer than .ci/weight.json allows.\n');
    expect(output).toContain('npm run check:weight -- --lower');
    expect(check('--lower').status).toBe(1);
    expect(await readWeight()).toEqual({ ...exact, tests: 0, Markdown: 1 });
  });
});
