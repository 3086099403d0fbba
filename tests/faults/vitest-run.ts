import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Outcome {
  readonly passed: number;
  /** The titles of those that failed, or why none ran. */
  readonly failed: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs tests of the suite and tells how many passed. */
export async function runVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const root = join(import.meta.dirname, '../..');
  const folder = await mkdtemp(join(tmpdir(), 'worktable-faults-'));
  const file = join(folder, 'report.json');
  const program = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(
    process.execPath,
    [program, 'run', ...args, '--reporter=json', `--outputFile=${file}`],
    {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    },
  );
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
  if (text === undefined) return { passed: 0, failed: [`Vitest ended with ${String(code)} and no report`] };
  // What Vitest's reporter `json` writes.
  const { numPassedTests, testResults } = JSON.parse(text) as VitestReport;
  const failed = testResults.flatMap(({ message, assertionResults }) => [
    ...(message === '' ? [] : [message]),
    ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ]);
  return { passed: numPassedTests, failed };
}
