/**
 * Tests any server that implements the contract, from outside:
 *   npm run conformance -- --url https://staging.example.com --token TOKEN [--other-token TOKEN] [--junit REPORT] [--bail]
 *     [NAME ...]
 * It works as the user of the token, deletes the tasks, agents and sessions that it makes, and prints which documented
 * statuses it has seen. With --bail, it stops at the first broken promise. NAME is a part of a file name in
 * tests/conformance/; without NAME, all files run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { documentedOperations, recordedPairs } from './contract-coverage.ts';

const { url, token, otherToken = '', junit, bail, files } = options();
const coverageFolder = mkdtempSync(join(tmpdir(), 'worktable-conformance-'));
try {
  const reporters = [
    '--reporter=verbose',
    ...(bail ? ['--bail=1'] : []),
    ...(junit === undefined ? [] : ['--reporter=junit', `--outputFile.junit=${resolve(junit)}`]),
  ];
  const { status } = spawnSync(
    'vitest',
    ['run', '--config', 'tests/conformance/vitest.config.ts', ...reporters, ...files],
    {
      cwd: join(import.meta.dirname, '..'),
      stdio: 'inherit',
      env: {
        ...process.env,
        CONFORMANCE_URL: url,
        CONFORMANCE_TOKEN: token,
        CONFORMANCE_OTHER_TOKEN: otherToken,
        TEST_COVERAGE_FOLDER: coverageFolder,
      },
    },
  );
  console.log(table(recordedPairs(coverageFolder)));
  process.exitCode = status ?? 1;
} finally {
  rmSync(coverageFolder, { recursive: true });
}

/** The values of the command line. Exits with a message if a required one is missing. */
function options() {
  try {
    const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const;
    const { values, positionals: files } = parseArgs({
      options: { url: text, token: text, 'other-token': text, junit: text, bail: flag },
      allowPositionals: true,
    });
    const { url: address = '', token: ofUser = '', 'other-token': ofOther, junit, bail = false } = values;
    if (!URL.canParse(address))
      throw new Error('Name the server with --url, such as https://staging.example.com.');
    if (ofUser === '') throw new Error('Name the token of a user of that server with --token.');
    return { url: address.replace(/\/+$/, ''), token: ofUser, otherToken: ofOther, junit, bail, files };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/** A table of the documented statuses of each operation, with a column for seen and a column for unseen statuses. */
function table(seen: ReadonlySet<string>): string {
  const rows = documentedOperations().map(({ operationId, statuses }) => {
    const isSeen = (status: string): boolean => seen.has(`${operationId} ${status}`);
    const unseen = statuses.filter((status) => !isSeen(status)).join(' ');
    return `${operationId.padEnd(15)} seen ${statuses.filter(isSeen).join(' ').padEnd(42)} not seen ${unseen}`;
  });
  return ['', ...rows, ''].join('\n');
}
