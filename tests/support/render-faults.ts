import { expect, onTestFinished, vi } from 'vitest';
import type { Client } from './client.ts';
import { startTestServer, type TestServer } from './server.ts';

type Fault = 'crash' | 'no-drawing' | 'no-pdf' | 'no-png';

/** Makes the render processes of later servers load a module, until the test has ended: they inherit NODE_OPTIONS. */
function preload(module: Fault | 'slow-start'): void {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('NODE_OPTIONS', `--import ${import.meta.resolve(`./faults/${module}.ts`)}`);
}

/** Starts a server whose render processes load a fault during the test. */
export async function startFaultyServer(fault: Fault): Promise<Client> {
  preload(fault);
  return (await startTestServer()).as('alice');
}

/**
 * Starts a server whose queue of pictures has one place, which a picture takes while `test` runs: its render process
 * starts slowly.
 */
export async function whileQueueIsFull(
  takePlace: (server: TestServer) => Promise<unknown>,
  test: (server: TestServer) => Promise<unknown>,
): Promise<void> {
  preload('slow-start');
  const server = await startTestServer({ changes: { charts: { queueMax: 1 } } });
  const first = takePlace(server);
  await expect
    .poll(async () => (await fetch(`${server.url}/metrics`)).text())
    .toContain('\nchart_queue_length 1\n');
  await Promise.all([test(server), first]);
}
