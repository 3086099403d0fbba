import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLocalKey } from '../../../server/src/auth/local-key.ts';
import { createFolder } from '../../support/folder.ts';
import { runCli } from '../../support/process.ts';

const exposures: Readonly<Record<string, (dataDir: string) => Promise<void>>> = {
  'a local key that others may read': (dataDir) => chmod(join(dataDir, 'token.key'), 0o640),
  'a data folder that others may use': (dataDir) => chmod(dataDir, 0o705),
  ...(process.getuid?.() === 0 && { 'a data folder of another user': (dataDir) => chown(dataDir, 1, 1) }),
};

describe.each(Object.entries(exposures))('%s', (_what, expose) => {
  it('is refused by the start and by the doctor, in the same words', async () => {
    const dataDir = await createFolder();
    await readLocalKey(dataDir);
    await expose(dataDir);

    const started = await runCli(['serve'], { DATA_DIR: dataDir, PORT: '0' });
    const doctor = await runCli(['doctor'], { DATA_DIR: dataDir });

    expect([started.code, doctor.code]).toEqual([1, 1]);
    expect(started.output).toMatch(/^Other users of this machine may use .*chmod go-rwx/);
    expect(doctor.output).toMatch(/^wrong +keys /m);
    expect(doctor.output).toContain(started.output);
  });
});
