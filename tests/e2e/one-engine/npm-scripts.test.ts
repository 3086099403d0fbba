import { expect, it } from 'vitest';
import { childrenOf, hasEnded } from '../../support/children.ts';
import { startByNpm } from '../../support/process.ts';
import { createDatabase } from '../../support/server.ts';

const database = await createDatabase();

it.each([
  ['start', 'SIGTERM'],
  ['run mock -- --port 0', 'SIGINT'],
] as const)('npm %s closes its port and leaves no process when npm receives %s', async (args, signal) => {
  const server = await startByNpm(args.split(' '), database.env);
  const processes = await descendantsOf(server.pid);
  expect(processes.length).toBeGreaterThan(0);

  await server.stop(signal);

  await expect.poll(async () => Promise.all(processes.map(hasEnded))).not.toContain(false);
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

async function descendantsOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}
