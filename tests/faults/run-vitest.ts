import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface VitestResult {
  readonly passed: number;
  /** The titles of the failed tests, or why no test ran. */
  readonly failed: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs tests of the suite and counts the passed ones. */
export async function runVitest(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<VitestResult> {
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
  if (text === undefined)
    return { passed: 0, failed: [`Vitest exited with ${String(code)} and without a report`] };
  // The format of Vitest's `json` reporter.
  const { numPassedTests, testResults } = JSON.parse(text) as VitestReport;
  const failed = testResults.flatMap(({ message, assertionResults }) => [
    ...(message === '' ? [] : [message]),
    ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ]);
  return { passed: numPassedTests, failed };
}
