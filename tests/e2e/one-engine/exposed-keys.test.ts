import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLocalKey } from '../../../server/src/auth/local-key.ts';
import { createFolder } from '../../support/folder.ts';
import { refusalOf } from '../../support/process.ts';

const exposures: Readonly<Record<string, (dataDir: string) => Promise<void>>> = {
  'a local key that others may read': (dataDir) => chmod(join(dataDir, 'token.key'), 0o640),
  'a data folder that others may use': (dataDir) => chmod(dataDir, 0o705),
  ...(process.getuid?.() === 0 && { 'a data folder of another user': (dataDir) => chown(dataDir, 1, 1) }),
};

it.each(Object.entries(exposures))('%s is refused', async (_what, expose) => {
  expect(await refusalOf(['token', '--user', 'alice'], await exposed(expose))).toMatch(refusal);
});

it('the start and the doctor refuse it in the same words', async () => {
  const env = await exposed((dataDir) => chmod(dataDir, 0o705));
  const token = await refusalOf(['token', '--user', 'alice'], env);

  // The lines of JSON that the start may log before are removed.
  expect((await refusalOf(['serve'], { ...env, PORT: '0' })).replaceAll(/^\{.*\n/gm, '')).toBe(token);
  const doctor = await refusalOf(['doctor'], env);
  expect(doctor).toMatch(/^wrong +keys /m);
  expect(doctor).toContain(token);
});

const refusal = /^Other users of this machine may use .*chmod go-rwx/;

/** The environment of a server whose data folder has an exposed local key. */
async function exposed(expose: (dataDir: string) => Promise<void>): Promise<{ DATA_DIR: string }> {
  const dataDir = await createFolder();
  await readLocalKey(dataDir);
  await expose(dataDir);
  return { DATA_DIR: dataDir };
}
