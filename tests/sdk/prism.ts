import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');
const contract = join(root, 'server/src/generated/openapi.json');

// One hook for all processes: a hook that is registered inside another hook would never run.
const started: ChildProcess[] = [];

afterAll(() => {
  for (const child of started) child.kill();
});

/** Starts Prism with the contract, as `npm run mock` does, and resolves to its URL. */
export async function startPrism(command: 'mock' | 'proxy', ...args: string[]): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [cli, command, '-p', String(port), contract, ...args]);
  started.push(child);
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('Prism is listening')) resolve();
    });
    child.once('exit', () => {
      reject(new Error(`Prism did not start: ${output}`));
    });
  });
  return `http://127.0.0.1:${port}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a server that listens on a host and port is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
