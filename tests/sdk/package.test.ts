import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'tsdown';
import { describe, expect, it } from 'vitest';
import { renderSvg } from '../../server/charts/src/svg.ts';
import { createFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { expectServed, journey, type Seen } from './journey.ts';
import { startMock, startPrism } from './mock-process.ts';

/** The steps in which the mock differs, by the beginning of the line of mock.md that says so. */
const differences: Readonly<Record<string, readonly string[]>> = {
  'Nothing is kept': [
    'get it once it is deleted',
    'list runtimes',
    'list its messages',
    'get its session',
    'list sessions',
  ],
  'Versions are not compared': ['get it if it has changed'],
  'An `Idempotency-Key` has no effect': ['create the task again under its key'],
  'Lists ignore filters': ['list tasks', 'page of tasks', 'list the tasks of its workspace'],
  'A run completes at once': ['wait for a run that asks'],
  'One change is listed': ['list the changes after now'],
  'Requests are not limited': ['read the limits'],
};

/** How `createMock` differs from `npm run mock`, in the words of mock.md. */
const differencesInside: Readonly<Record<string, readonly string[]>> = {
  'accepts each body': ['create a task without a title'],
  'each chart is the same example': ['draw a dark chart'],
};

/** An empty project with the built package and msw. */
const project = await createFolder();
const sdk = join(project, 'node_modules/@worktable/sdk');
await mkdir(sdk, { recursive: true });
await Promise.all([
  cp('sdk/package.json', join(sdk, 'package.json')),
  symlink(join(process.cwd(), 'node_modules/msw'), join(project, 'node_modules/msw')),
  build({ cwd: 'sdk', outDir: join(sdk, 'dist'), dts: false, logLevel: 'warn' }),
  node('.', 'scripts/pack-contract.ts', sdk),
]);
const load = (file: string): Promise<unknown> => import(pathToFileURL(join(sdk, 'dist', file)).href);
// The casts hold because the modules are built from these sources.
const { createClient, NotFoundError } = (await load('index.mjs')) as typeof import('../../sdk/src/index.ts');
const { createMock } = (await load('mock.mjs')) as typeof import('../../sdk/src/mock.ts');
const use = (...options: Parameters<typeof createClient>): Promise<Seen> => journey(createClient(...options));
const contract = join(sdk, 'mock.json');
const [token, server, mockUrl, prismUrl] = await Promise.all([
  tokenFor('alice'),
  startTestServer(),
  startMock(),
  startPrism(contract),
]);
const document = JSON.parse(readFileSync(contract, 'utf8')) as Parameters<typeof createMock>[0];
const fetchMock = createMock(document);
const [onServer, onMock, inside] = await Promise.all([
  use({ baseUrl: server.url, token }),
  use({ baseUrl: mockUrl, token }),
  use({ baseUrl: 'http://mock', token, fetch: fetchMock }),
]);

/** Runs a script in a folder. Resolves to its output. */
async function node(folder: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
}

describe('a journey through the built SDK', () => {
  const page = readFileSync('sdk/mock.md', 'utf8');
  const [, list = ''] = /## Differences from the server\n\n([\s\S]*?)\n## /.exec(page) ?? [];

  it('sees the same on the mock, apart from the differences that mock.md lists', () => {
    const listed = Object.values(differences).flat();

    expect(without(listed, onMock)).toEqual(without(listed, onServer));
  });

  it('sees the same by createMock as on the mock, apart from the differences that mock.md lists', async () => {
    const listed = Object.values(differencesInside).flat();

    expect(without(listed, inside)).toEqual(without(listed, onMock));
    for (const step of listed) expect([step, inside[step]]).not.toEqual([step, onMock[step]]);
    // The address of a chart needs no token.
    const picture = await fetchMock('http://mock/api/v1/viz/links/any');
    expect(await picture.text()).toMatch(/^<svg /);
    const text = page.replaceAll(/\s+/g, ' ');
    for (const words of Object.keys(differencesInside)) expect(text).toContain(words);
  });

  it('draws SVG charts by createMock with renderSvg, and refuses a chart that cannot be drawn', async () => {
    const chart = { title: 'Mine', data: [{ label: 'a', value: 1 }] };
    const drawing = createMock(document, renderSvg);
    const { viz } = createClient({ baseUrl: 'http://mock', token, fetch: drawing });
    const init = { method: 'POST', body: JSON.stringify(chart), headers: { Authorization: 'Bearer any' } };
    const asJson = await drawing('http://mock/api/v1/viz/render/svg', init);

    expect((await viz.renderSvg(chart)).svg).toBe(renderSvg(chart));
    expect(await asJson.json()).toEqual({ svg: renderSvg(chart) });
    await expect(viz.renderSvg({ ...chart, colors: ['none'] })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('/colors/0 must be a CSS color') as unknown,
    });
  });

  it('shows each difference that mock.md lists, and mock.md lists no other', () => {
    const lines = list.split('\n').filter((line) => line.startsWith('- '));
    const sentences = lines.map((line) => line.slice(2).replace(/[.:,;].*/, ''));

    expect(sentences).toEqual(Object.keys(differences));
    for (const step of Object.values(differences).flat())
      expect([step, onMock[step]]).not.toEqual([step, onServer[step]]);
  });

  it('sees on the server what an application expects', () => {
    expectServed(onServer);
    expect(onServer['follow its changes']).toEqual(['connecting', 'live']);
  });
});

describe('the mock.json of the package, served by Prism', () => {
  const preferring = (Prefer: string) =>
    createClient({ baseUrl: prismUrl, token: 'any', retriesMax: 0, headers: { Prefer } });

  it('shows the states and errors that Prefer selects', async () => {
    expect(await preferring('example=empty').tasks.list().toArray()).toEqual([]);
    expect((await preferring('example=failed').runs.get('1')).error?.code).toBe('runtime_error');
    const { agents } = preferring('code=202, example=requires_action');
    expect((await agents.run('1', { input: 'x' })).status).toBe('requires_action');
    await expect(preferring('code=404').tasks.get('1')).rejects.toThrow(NotFoundError);
    await expect(preferring('code=422').tasks.create({ title: 'x' })).rejects.toMatchObject({
      code: 'Idempotency key reused',
    });
  });

  it('has only the headers that each response has', async () => {
    const { tasks } = createClient({ baseUrl: prismUrl, token });
    const { data, response } = await tasks.update('1', { status: 'done' }).withResponse();

    expect(response.headers.get('ETag')).toBe(data.etag);
    expect(response.headers.get('Idempotency-Replayed')).toBeNull();
  });

  it('streams the events of a run to their end', async () => {
    const events: string[] = [];
    for await (const { event } of preferring('example=requires_action').runs.stream('1')) events.push(event);

    expect(events).toEqual(['run.started', 'run.requires_action']);
  });

  it('has a chart as JSON', async () => {
    const init = {
      method: 'POST',
      body: '{"data":[]}',
      headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
    };
    const response = await fetch(`${prismUrl}/api/v1/viz/render/svg`, init);

    expect(await response.json()).toMatchObject({
      svg: expect.stringContaining('Tasks by status') as string,
    });
  });
});

it('the recipe for MSW runs as it stands, with a picture as bytes and a stream of events', async () => {
  const recipes = readFileSync('sdk/recipes.md', 'utf8');
  const [, recipe = ''] = /## MSW\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(recipes) ?? [];
  await writeFile(join(project, 'recipe.mts'), recipe);

  const output = await node(project, 'recipe.mts');

  expect(output).toMatch(/^0 Buy milk [1-9]\d{3,} run\.completed\n$/);
});

function without(steps: readonly string[], seen: Seen): object {
  return Object.fromEntries(Object.entries(seen).filter(([step]) => !steps.includes(step)));
}
