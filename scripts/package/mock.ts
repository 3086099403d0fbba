import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { shell } from './shell.ts';

/** Starts Prism with the mock of the package, as its mock.md says, and runs the program against it. */
export async function useMock(folder: string, use: (baseUrl: string) => Promise<string>): Promise<string> {
  const cli = '@stoplight/prism-cli@5.16.0';
  await shell(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', cli);
  const port = await freePort();
  const child = spawn(
    join(folder, 'node_modules/.bin/prism'),
    ['mock', '-p', String(port), 'node_modules/@worktable/sdk/mock.json'],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    let output = '';
    for await (const chunk of child.stdout) {
      output += String(chunk);
      if (output.includes('Prism is listening')) return await use(`http://127.0.0.1:${port}`);
    }
    return `The mock did not start: ${output}`;
  } finally {
    child.kill();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a server that listens on a host and port is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
