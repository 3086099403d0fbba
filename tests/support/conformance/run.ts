import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { spawn } from 'node:child_process';

const program = join(import.meta.dirname, '../../../node_modules/.bin/conformance');

/**
 * Runs the official conformance suite of the protocol against an endpoint, and resolves to its exit code and its
 * output. The suite fails if a check fails that `baseline` does not name, or if a check passes that `baseline` names.
 */
export async function runConformance(
  url: string,
  options: readonly string[],
  baseline: string,
): Promise<{ readonly code: unknown; readonly output: string }> {
  // The suite writes its results into the working directory.
  const folder = await mkdtemp(join(tmpdir(), 'worktable-conformance-'));
  const args = ['server', '--url', `${url}/mcp`, ...options, '--expected-failures', baseline];
  const child = spawn(process.execPath, [program, ...args], { cwd: folder });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // An array of arguments of unknown types; the first one of `close` is the exit code.
  const [code] = (await once(child, 'close')) as [unknown];
  await rm(folder, { recursive: true, force: true });
  return { code, output };
}
