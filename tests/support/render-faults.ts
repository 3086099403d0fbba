import { onTestFinished, vi } from 'vitest';
import type { Client } from './client.ts';
import { startTestServer } from './server.ts';

type Fault = 'crash' | 'no-drawing' | 'no-pdf' | 'no-png' | 'no-start';

/**
 * Starts a server whose render processes load a fault during the test. Render processes inherit NODE_OPTIONS from the
 * process that forks them.
 */
export async function startFaultyServer(fault: Fault): Promise<Client> {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('NODE_OPTIONS', `--import ${new URL(`faults/${fault}.ts`, import.meta.url).href}`);
  const server = await startTestServer({ env: { CHART_WORKERS: '1' } });
  return server.as('alice');
}
