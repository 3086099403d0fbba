import { describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { refusalOf, startProcess } from '../../support/process.ts';
import { createDatabase, isShareable } from '../../support/server.ts';
import { secret } from '../../support/tokens.ts';

describe('with REUSE_PORT', () => {
  it.runIf(isShareable && process.platform === 'linux')(
    'two processes answer on one port, and one alone after the other has ended',
    async () => {
      const { env } = await createDatabase();
      const shared = { ...env, JWT_SECRET: secret, REUSE_PORT: 'true', PORT: String(await freePort()) };
      const processes = await Promise.all([startProcess(shared), startProcess(shared)]);
      const [first, second] = processes;
      const alice = await first.as('alice');

      // Each request has its own connection, for which the kernel chooses a process.
      const request = () => alice.ok('listTasks', { headers: { Connection: 'close' } });
      for (let n = 0; n < 40; n += 1) await request();
      await expect
        .poll(() => processes.map(({ output }) => output().includes('"listTasks"')))
        .toEqual([true, true]);

      expect(await first.stop('SIGTERM')).toBe(0);
      await request();
      expect(await second.stop('SIGTERM')).toBe(0);
    },
  );

  it('the embedded database is refused', async () => {
    expect(await refusalOf(['serve'], { REUSE_PORT: 'true' })).toBe(
      'REUSE_PORT needs DATABASE_URL, because only one process can use the embedded database.\n',
    );
  });
});
