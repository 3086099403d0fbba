import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { renderSvg } from '../../server/charts/src/svg.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { createProject } from './built-sdk.ts';
import { journey, type Seen } from './journey.ts';
import { startMock } from './mock-process.ts';

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

const sdk = join(await createProject(), 'node_modules/@worktable/sdk');
const load = (file: string): Promise<unknown> => import(pathToFileURL(join(sdk, 'dist', file)).href);
// The casts hold because the modules are built from these sources.
const { createClient } = (await load('index.mjs')) as typeof import('../../sdk/src/index.ts');
const { createMock } = (await load('mock.mjs')) as typeof import('../../sdk/src/mock.ts');
const use = (...options: Parameters<typeof createClient>): Promise<Seen> => journey(createClient(...options));
const [token, server, mockUrl] = await Promise.all([tokenFor('alice'), startTestServer(), startMock()]);
const document: unknown = JSON.parse(readFileSync(join(sdk, 'mock.json'), 'utf8'));
const fetch = createMock(document as Parameters<typeof createMock>[0]);
const [onServer, onMock, inside] = await Promise.all([
  use({ baseUrl: server.url, token }),
  use({ baseUrl: mockUrl, token }),
  use({ baseUrl: 'http://mock', token, fetch }),
]);

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
    const picture = await fetch('http://mock/api/v1/viz/links/any');
    expect(await picture.text()).toMatch(/^<svg /);
    const text = page.replaceAll(/\s+/g, ' ');
    for (const words of Object.keys(differencesInside)) expect(text).toContain(words);
  });

  it('draws SVG charts by createMock with renderSvg, and refuses a chart that cannot be drawn', async () => {
    const chart = { title: 'Mine', data: [{ label: 'a', value: 1 }] };
    const drawing = createMock(document as Parameters<typeof createMock>[0], renderSvg);
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

  it('fails on the server where it should, and nowhere else', () => {
    const failures = Object.entries(onServer).filter(
      ([, shown]) => typeof shown === 'string' && shown.includes('Error'),
    );

    expect(Object.fromEntries(failures)).toEqual({
      'get it once it is deleted': 'NotFoundError Task not found',
      'create a task without a title': 'BadRequestError VALIDATION_ERROR',
      'change it by an old version': 'PreconditionFailedError Precondition failed',
    });
  });

  it('sees on the server what an application expects', () => {
    expect(onServer).toMatchObject({
      'take the assignee away and finish it': { status: 'done', isOfVersion: true },
      'comment on it': { status: 201, isInList: true },
      'follow its changes': ['connecting', 'live'],
      'run an agent without waiting': { status: 202, applied: 'respond-async', isOfRun: true },
      'wait for a run that asks': 'requires_action',
      'run an agent that asks, and approve': { asked: 'requires_action', status: 'completed' },
      'run it as a stream': ['run.started', 'run.completed'],
      'stream a run that asks': ['run.started', 'run.requires_action'],
    });
  });
});

function without(steps: readonly string[], seen: Seen): object {
  return Object.fromEntries(Object.entries(seen).filter(([step]) => !steps.includes(step)));
}
