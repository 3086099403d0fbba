import { expect, onTestFinished, vi } from 'vitest';
import type { Client } from './client.ts';
import { startTestServer, type TestServer } from './server.ts';

type Fault = 'crash' | 'no-drawing' | 'no-pdf' | 'no-png';

/**
 * Starts a server whose render processes load a fault during the test. Render processes inherit NODE_OPTIONS from the
 * process that forks them.
 */
export async function startFaultyServer(fault: Fault): Promise<Client> {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('NODE_OPTIONS', `--import ${new URL(`faults/${fault}.ts`, import.meta.url).href}`);
  const server = await startTestServer();
  return server.as('alice');
}

/**
 * Starts a server whose queue of pictures has one place, which a picture takes while `test` runs: its render process
 * starts slowly.
 */
export async function whileQueueIsFull(
  takePlace: (server: TestServer) => Promise<unknown>,
  test: (server: TestServer) => Promise<unknown>,
): Promise<void> {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('NODE_OPTIONS', `--import ${import.meta.resolve('./faults/slow-start.ts')}`);
  const server = await startTestServer({ changes: { charts: { queueMax: 1 } } });
  const first = takePlace(server);
  await expect
    .poll(async () => (await fetch(`${server.url}/metrics`)).text())
    .toContain('\nchart_queue_length 1\n');
  await Promise.all([test(server), first]);
}
