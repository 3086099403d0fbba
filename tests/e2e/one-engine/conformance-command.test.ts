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

/** What a server breaks, and a part of the title of the test in tests/conformance/ that then fails. */
type Breakage = readonly [what: string, title: string, spoil: (tokens: Tokens) => Spoil];

const request =
  (change: NonNullable<Spoil['request']>): Breakage[2] =>
  () => ({ request: change });
const response =
  (change: NonNullable<Spoil['response']>): Breakage[2] =>
  () => ({ response: change });

/** Broken servers: the files of conformance tests, and what a server breaks. A different test detects each breakage. */
const servers: readonly (readonly [files: readonly string[], ...breakages: Breakage[]])[] = [
  [
    ['tasks', 'refusals', 'charts-and-agents'],
    [
      'an undocumented field',
      'is created, read where Location says',
      response((answer) => {
        if (answer.status === 404) editJson(answer, (body) => (body['stack'] = 'at'));
      }),
    ],
    [
      'no idempotency',
      'a task > is created once under one Idempotency-Key',
      request(({ headers }) => delete headers['idempotency-key']),
    ],
    ['no If-Match', 'has an ETag', request(({ headers }) => delete headers['if-match'])],
    [
      'no filters',
      'is read page by page',
      request((sent) => (sent.path = sent.path.replace(/status=todo/, ''))),
    ],
    [
      'everything is shown to another user',
      'is its owner’s alone',
      ([alice, bob]) => ({
        request: ({ headers }) => {
          if (headers['authorization'] === `Bearer ${bob}`) headers['authorization'] = `Bearer ${alice}`;
        },
      }),
    ],
    [
      'anybody is accepted',
      'refuses a request without a token',
      ([alice]) => ({ request: ({ headers }) => (headers['authorization'] ??= `Bearer ${alice}`) }),
    ],
    [
      'parameters that are ignored',
      'refuses an unknown query parameter',
      request((sent) => (sent.path = sent.path.replace('?conformance=1', ''))),
    ],
    [
      'a missing field',
      'runs in a session, and its run can be read',
      response((answer) => {
        if (answer.request.path.startsWith('/v1/runs/') && answer.status === 200)
          editJson(answer, (body) => Reflect.deleteProperty(body, 'usage'));
      }),
    ],
    [
      'a field of another type',
      'is drawn in the formats',
      response((answer) => {
        if (answer.request.path === '/api/v1/viz') editJson(answer, (body) => (body['renders'] = 'svg'));
      }),
    ],
    [
      'a picture that is none',
      'is sent as image/png',
      response((answer) => {
        if (answer.headers.get('Content-Type') === 'image/png') answer.body = Buffer.from('none');
      }),
    ],
    [
      'a stream without its end',
      'streams the events of its run',
      response((answer) => {
        if (answer.headers.get('Content-Type')?.startsWith('text/event-stream') === true)
          answer.body = Buffer.from(answer.body.toString().split('event: run.completed')[0] ?? '');
      }),
    ],
  ],
  [
    ['tasks'],
    [
      'a Location that leads nowhere',
      'is created, read where Location says',
      response(({ headers }) => {
        if (headers.has('Location')) headers.set('Location', '/api/tasks/none');
      }),
    ],
    [
      'no cursors',
      'is read page by page',
      request((sent) => (sent.path = sent.path.replace(/([?&])cursor=[^&]*/, '$1'))),
    ],
  ],
  [
    ['tasks'],
    [
      'an undocumented status',
      'tasks.test.ts',
      response((answer) => {
        if (answer.status === 201) answer.status = 200;
      }),
    ],
  ],
  [
    ['refusals'],
    [
      'a missing header',
      'refuses an unknown query parameter',
      response(({ headers }) => {
        headers.delete('X-Request-Id');
      }),
    ],
  ],
  [
    ['refusals'],
    [
      'another media type',
      'refuses an unknown query parameter',
      response(({ headers, status }) => {
        if (status >= 400) headers.set('Content-Type', 'application/json');
      }),
    ],
  ],
];

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
  async function conformanceOf(spoils: readonly Breakage[2][], ...options: readonly string[]) {
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

  it.each(
    servers.map(([files, ...breakages]) => ({ files, breakages, what: breakages.map(([what]) => what) })),
  )('fails for $what', async ({ files, breakages }) => {
    const { code, output } = await conformanceOf(
      breakages.map(([, , spoil]) => spoil),
      ...files,
    );

    const failed = output.split('\n').filter((line) => line.startsWith(' FAIL '));
    for (const [what, title] of breakages) expect(failed.join('\n'), what).toContain(title);
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
