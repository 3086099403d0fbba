import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { endOf } from '../server-process.ts';

const program = join(import.meta.dirname, '../../../node_modules/.bin/conformance');

/**
 * Runs the official conformance suite of the protocol, and resolves to its exit code and output. The suite fails if a
 * check outside `baseline` fails, or if a check in `baseline` passes.
 */
export async function runConformance(
  url: string,
  options: readonly string[],
  baseline: string,
): ReturnType<typeof endOf> {
  // The suite writes its results into the working directory.
  const folder = await mkdtemp(join(tmpdir(), 'worktable-conformance-'));
  const args = ['server', '--url', `${url}/mcp`, ...options, '--expected-failures', baseline];
  const child = spawn(process.execPath, [program, ...args], { cwd: folder });
  const ended = await endOf(child);
  await rm(folder, { recursive: true, force: true });
  return ended;
}
