import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { cleanUpAfter } from '../support/cleanup.ts';
import { freePort } from '../support/free-port.ts';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** Starts `npm run mock`. Resolves to its URL. */
export async function startMock(): Promise<string> {
  const child = spawn(process.execPath, ['scripts/mock.ts', '--port', '0'], { cwd: root });
  const output = await outputUntil(child, 'ready at');
  return /http:\S+?(?=\. )/.exec(output)?.[0] ?? '';
}

/** Serves a contract with Prism, as in mock.md. Resolves to the URL. */
export async function startPrism(contract: string): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, [cli, 'mock', '-p', String(port), contract]);
  await outputUntil(child, 'Prism is listening');
  return `http://127.0.0.1:${port}`;
}

function outputUntil(child: ChildProcessWithoutNullStreams, text: string): Promise<string> {
  cleanUpAfter(() => child.kill());
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes(text)) resolve(output);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => {
      reject(new Error(`The process ended: ${output}`));
    });
  });
}
