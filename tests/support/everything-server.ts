import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort, untilListening } from './free-port.ts';
import { spawnProgram } from './server-process.ts';

const program = '@modelcontextprotocol/server-everything/dist/index.js';

/** Starts the reference MCP server, with revision 2025-11-25, until the test has ended. */
export async function startEverythingServer(): Promise<{ readonly url: string }> {
  const port = await freePort();
  const preload = join(import.meta.dirname, 'listen-on-loopback.ts');
  const script = join(import.meta.dirname, '../../node_modules', program);
  const child = spawnProgram(process.execPath, [`--import=${preload}`, script, 'streamableHttp'], {
    PORT: String(port),
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await untilListening(port);
  return { url: `http://127.0.0.1:${port}/mcp` };
}
