import { existsSync } from 'node:fs';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';
import { killedAt } from '../../support/killed-servers.ts';
import { outputOf, refusalOf, runCli } from '../../support/process.ts';
import { erased, filledDatabase } from '../../support/two-users.ts';

const folder = await createFolder();
const filled = await filledDatabase();

describe('a file of user export', () => {
  it('that is killed leaves no file of that name, and is complete when it is repeated', async () => {
    const whole = await outputOf(['user', 'export', erased], filled);
    const file = join(folder, 'export.jsonl');
    const args = ['user', 'export', erased, '--file', file];

    await runCli(args, { ...filled, ...killedAt('before 1', 'from "messages"') });
    expect(existsSync(file)).toBe(false);
    expect(await outputOf(args, filled)).toBe('');

    expect(await readFile(file, 'utf8')).toBe(whole);
    expect((await readdir(folder)).filter((name) => name.startsWith('export'))).toEqual(['export.jsonl']);
  });

  it('in a folder of several users is readable by its owner only, and writes to no file of another user', async () => {
    const [file, other] = [join(folder, 'shared.jsonl'), join(folder, 'other')];
    await writeFile(other, 'mine');
    await symlink(other, `${file}.part`);

    await outputOf(['user', 'export', erased, '--file', file], filled);

    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await readFile(other, 'utf8')).toBe('mine');
  });

  it.each([
    ['exists', 'text.txt', / exists already\. Name another file, or remove it\.\n$/],
    ['is in no folder', 'none/shared.jsonl', /^The export cannot be written: .*\n$/],
    ['has no name', undefined, /--file FILE is missing\./],
  ])('that %s is refused, and stays as it is', async (_what, name, sentence) => {
    const text = join(folder, 'text.txt');
    await writeFile(text, 'one line, without an end');
    const file = name === undefined ? '' : join(folder, name);

    expect(await refusalOf(['user', 'export', erased, '--file', file], filled)).toMatch(sentence);
    expect(await readFile(text, 'utf8')).toBe('one line, without an end');
  });
});
