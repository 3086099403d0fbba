import { onTestFinished, vi } from 'vitest';
import type { Client } from './client.ts';
import { startTestServer } from './server.ts';

type Fault = 'crash' | 'no-drawing' | 'no-pdf' | 'no-png' | 'no-start';

/**
 * A server whose painter process, and each that replaces it while the test lasts, runs into a fault of what it stands
 * on. Painters inherit the environment of the process that starts them.
 */
export async function startFaultyServer(fault: Fault): Promise<Client> {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('NODE_OPTIONS', `--import ${new URL(`faults/${fault}.ts`, import.meta.url).href}`);
  const server = await startTestServer({ env: { CHART_WORKERS: '1' } });
  return server.as('alice');
}
