import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startMock } from '../../sdk/mock-process.ts';
import { noLimits } from '../../support/agents.ts';
import { createFolder } from '../../support/folder.ts';
import { endOf, spawnProgram } from '../../support/server-process.ts';
import { startTestServer } from '../../support/server.ts';

/** Tests of tests/conformance/ that fail for the mock, which keeps nothing and ignores versions, keys and filters. */
const broken = [
  'a task > is created, read where Location says',
  'a task > is created once under one Idempotency-Key',
  'a task > has an ETag',
  'a task > is its owner’s alone',
  'is read page by page, each task once, and filtered',
  'getTask > answers 404 to an unknown id',
  'an agent > is created and run once under one Idempotency-Key',
];

/** Runs `npm run conformance` with few random requests. Resolves to its exit code and output. */
function runConformance(...options: readonly string[]): ReturnType<typeof endOf> {
  const env = { CONFORMANCE_FUZZ_RUNS: '3', NO_COLOR: '1' };
  return endOf(spawnProgram(process.execPath, ['scripts/conformance.ts', ...options], env));
}

describe.concurrent('conformance', () => {
  it('succeeds for a server that breaks nothing, and leaves none of its tasks', async () => {
    const server = await startTestServer({ env: noLimits });
    const [token, other] = [await server.token('alice'), await server.token(randomUUID())];
    const junit = join(await createFolder(), 'junit.xml');

    const named = ['--url', server.url, '--token', token, '--other-token', other, '--junit', junit];
    const { code, output } = await runConformance(...named);

    expect(code, output).toBe(0);
    expect(output).toMatch(/^createTask +seen 201 400 401 413 415 422 +not seen 500 503$/m);
    expect(await readFile(junit, 'utf8')).toMatch(
      /<testsuites name="[^"]*" tests="\d{3}" failures="0" errors="0"/,
    );
    expect((await (await server.as('alice')).ok('listTasks', { query: 'limit=0' })).body.count).toBe(0);
  });

  // breaches.test.ts has the ways in which a single response can break the contract.
  it('fails for a server that breaks promises, with a test for each', async () => {
    const named = ['--url', await startMock(), '--token', 'a', '--other-token', 'b'];

    const { code, output } = await runConformance(...named, 'tasks', 'refusals', 'charts-and-agents');

    const failed = output.split('\n').filter((line) => line.startsWith(' FAIL '));
    for (const title of broken) expect(failed.join('\n')).toContain(title);
    expect(code).toBe(1);
  });

  it.each([
    [['--token', 't'], /Name the server with --url/],
    [['--url', 'http://127.0.0.1:1'], /Name the token of a user/],
    [['--urk', 'x'], /Unknown option '--urk'/],
  ])('%j is refused with a sentence', async (options, sentence) => {
    const { code, output } = await runConformance(...options);

    expect(code).toBe(1);
    expect(output).toMatch(sentence);
  });
});
