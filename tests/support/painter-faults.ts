import { vi } from 'vitest';
import type { Client } from './client.ts';
import { startTestServer } from './server.ts';

type Fault = 'crash' | 'no-deflate' | 'no-drawing' | 'no-pdf';

/** A server whose painter process, and each that replaces it, runs into a fault of what it stands on. */
export async function startFaultyServer(fault: Fault): Promise<Client> {
  vi.stubEnv('NODE_OPTIONS', `--import ${new URL(`faults/${fault}.ts`, import.meta.url).href}`);
  const server = await startTestServer({ env: { CHART_WORKERS: '1' } });
  return server.as('alice');
}
