import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { noLimits } from '../../support/agents.ts';
import { createFolder } from '../../support/folder.ts';
import { endOf, spawnProgram } from '../../support/server-process.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { editJson, startSpoilingProxy, type Spoil } from '../../support/spoiling-proxy.ts';

/** The tokens of two users. */
type Tokens = readonly [string, string];

type Breakage = readonly [title: string, spoil: (tokens: Tokens) => Spoil];

/** What a server breaks, with a part of the title of the test in tests/conformance/ that then fails. */
const breakages: Readonly<Record<string, Breakage>> = {
  'no idempotency': [
    'a task > is created once under one Idempotency-Key',
    () => ({ request: ({ headers }) => delete headers['idempotency-key'] }),
  ],
  'no If-Match': ['has an ETag', () => ({ request: ({ headers }) => delete headers['if-match'] })],
  'no filters': [
    'is read page by page',
    () => ({ request: (sent) => (sent.path = sent.path.replace(/status=todo/, '')) }),
  ],
  'everything is shown to another user': [
    'is its owner’s alone',
    ([alice, bob]) => ({
      request: ({ headers }) => {
        if (headers['authorization'] === `Bearer ${bob}`) headers['authorization'] = `Bearer ${alice}`;
      },
    }),
  ],
  'anybody is accepted': [
    'refuses a request without a token',
    ([alice]) => ({ request: ({ headers }) => (headers['authorization'] ??= `Bearer ${alice}`) }),
  ],
  'parameters that are ignored': [
    'refuses an unknown query parameter',
    () => ({ request: (sent) => (sent.path = sent.path.replace('?conformance=1', '')) }),
  ],
  // breaches.test.ts has the other ways in which a response can break the contract.
  'an undocumented field': [
    'is created, read where Location says',
    () => ({
      response: (answer) => {
        if (answer.status === 404) editJson(answer, (body) => (body['stack'] = 'at'));
      },
    }),
  ],
  'a stream without its end': [
    'streams the events of its run',
    () => ({
      response: (answer) => {
        if (answer.headers.get('Content-Type')?.startsWith('text/event-stream') === true)
          answer.body = Buffer.from(answer.body.toString().split('event: run.completed')[0] ?? '');
      },
    }),
  ],
};

/** Runs `npm run conformance` with few random requests. Resolves to its exit code and output. */
function runConformance(...options: readonly string[]): ReturnType<typeof endOf> {
  const env = { CONFORMANCE_FUZZ_RUNS: '3', NO_COLOR: '1' };
  return endOf(spawnProgram(process.execPath, ['scripts/conformance.ts', ...options], env));
}

describe.concurrent('conformance', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({ env: noLimits });
  });

  /** Tests a server that is broken in these ways, as two new users. Each command deletes what its user has made. */
  async function conformanceOf(spoils: readonly Breakage[1][], ...options: readonly string[]) {
    const [user, other] = [randomUUID(), randomUUID()];
    const tokens: Tokens = [await server.token(user), await server.token(other)];
    const made = spoils.map((spoil) => spoil(tokens));
    const url = await startSpoilingProxy(server.url, {
      request: (sent) => {
        for (const each of made) each.request?.(sent);
      },
      response: (answer) => {
        for (const each of made) each.response?.(answer);
      },
    });
    const [token, otherToken] = tokens;
    const named = ['--url', url, '--token', token, '--other-token', otherToken];
    return { user, ...(await runConformance(...named, ...options)) };
  }

  it('succeeds for a server that breaks nothing, and leaves nothing of its tasks', async () => {
    const junit = join(await createFolder(), 'junit.xml');

    const { user, code, output } = await conformanceOf([], '--junit', junit);

    expect(code, output).toBe(0);
    expect(output).toMatch(/^createTask +seen 201 400 401 413 415 422 +not seen 500 503$/m);
    expect(await readFile(junit, 'utf8')).toMatch(
      /<testsuites name="[^"]*" tests="\d{3}" failures="0" errors="0"/,
    );
    expect((await (await server.as(user)).ok('listTasks', { query: 'limit=0' })).body.count).toBe(0);
  });

  it('fails for a broken server, with a different test for each promise that it breaks', async () => {
    const spoils = Object.values(breakages).map(([, spoil]) => spoil);

    const { code, output } = await conformanceOf(spoils, 'tasks', 'refusals', 'charts-and-agents');

    const failed = output.split('\n').filter((line) => line.startsWith(' FAIL '));
    for (const [what, [title]] of Object.entries(breakages)) expect(failed.join('\n'), what).toContain(title);
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
