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
  it('is refused by the start, the doctor and the token command, in the same words', async () => {
    const dataDir = await createFolder();
    await readLocalKey(dataDir);
    await expose(dataDir);

    const started = await runCli(['serve'], { DATA_DIR: dataDir, PORT: '0' });
    const doctor = await runCli(['doctor'], { DATA_DIR: dataDir });
    const token = await runCli(['token', '--user', 'alice'], { DATA_DIR: dataDir });

    // The start may log lines of JSON before.
    const refusal = started.output.replaceAll(/^\{.*\n/gm, '');
    expect([started.code, doctor.code]).toEqual([1, 1]);
    expect(token).toEqual({ code: 1, output: refusal });
    expect(refusal).toMatch(/^Other users of this machine may use .*chmod go-rwx/);
    expect(doctor.output).toMatch(/^wrong +keys /m);
    expect(doctor.output).toContain(refusal);
  });
});
