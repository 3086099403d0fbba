import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folder.ts';
import { readLocalKey } from '../../../server/src/auth/keys.ts';
import { StartupError } from '../../../server/src/lib/startup-error.ts';

describe('readLocalKey', () => {
  it('returns the same complete key to concurrent calls, and leaves no other file', async () => {
    const dataDir = join(await createFolder(), 'new');
    const keys = await Promise.all(Array.from({ length: 50 }, () => readLocalKey(dataDir)));

    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1);
    expect(keys[0]).toHaveLength(32);
    expect(await readdir(dataDir)).toEqual(['token.key']);
    expect((await stat(join(dataDir, 'token.key'))).mode & 0o777).toBe(0o600);
  });

  it('throws a sentence if no key can be created', async () => {
    const file = join(await createFolder(), 'file');
    await writeFile(file, '');

    const error: unknown = await readLocalKey(join(file, 'data')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartupError);
    expect(String(error)).toMatch(
      /cannot be used: Error: ENOTDIR: .*\. Make DATA_DIR a folder that this user/,
    );
  });
});
