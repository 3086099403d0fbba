import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../../../scripts/chromium.ts';
import { metricOf } from '../../support/metrics.ts';
import { expectIn, startTabs, type Tabs } from './tabs.ts';

/** A board with a live collection, and functions for the test. */
const script = (baseUrl: string): string => `
import { createCollection } from '@tanstack/db';
import * as sdk from '@worktable/sdk';
import { taskCollectionOptions } from '@worktable/sdk/tanstack-db';
const token = async () => localStorage.getItem('token');
const client = sdk.createClient({ baseUrl: '${baseUrl}', token });
const states = [];
const onState = ({ state }) => { states.push(state); };
const tasks = createCollection(taskCollectionOptions(client, { status: ['todo', 'blocked'], onState }));
tasks.subscribeChanges(() => {
  document.body.replaceChildren(...tasks.toArray.map(({ title }) => {
    return Object.assign(document.createElement('p'), { textContent: title });
  }));
}, { includeInitialState: true });
const errorOf = (call) => call.then(() => 'no error', (error) => error);
Object.assign(window, { sdk, client, tasks, states, errorOf });
`;

describe.skipIf(chromiumPath === undefined)('a page', () => {
  let tabs: Tabs;

  beforeAll(async () => {
    tabs = await startTabs(script);
  });

  const shows = (page: Page, titles: readonly string[]) =>
    expect.poll(async () => (await page.locator('p').allTextContents()).sort()).toEqual([...titles].sort());
  const isLive = (page: Page) => expectIn(page, 'states.at(-1)', 'live');

  it('shows the same live collection in two tabs on one stream, also what others change while it is offline', async () => {
    const { client, context } = await tabs.newUser();
    const milk = await client.tasks.create({ title: 'Milk' });
    const pages = [await tabs.openTab(context), await tabs.openTab(context)];
    for (const page of pages) await isLive(page);
    expect(await metricOf(tabs.server, 'long_requests')).toBe(1);

    onTestFinished(() => tabs.relay.restore());
    await tabs.relay.cut();
    await context.setOffline(true);
    for (const page of pages) await expectIn(page, 'states.at(-1)', 'offline');
    await client.tasks.update(milk.id, { status: 'done' });
    await client.tasks.create({ title: 'Bread' });
    await context.setOffline(false);
    await tabs.relay.restore();

    for (const page of pages) await shows(page, ['Bread']);
    expect(await metricOf(tabs.server, 'long_requests')).toBe(1);
  });

  it('draws a chart', async () => {
    const { context } = await tabs.newUser();
    const page = await tabs.openTab(context);
    const chart = "{ data: [{ label: 'todo', value: 7 }], width: 300, height: 200, scale: 2 }";

    const size = await page.evaluate(`(async () => {
      const picture = await client.viz.renderPng(${chart});
      const { width, height } = await createImageBitmap(structuredClone(picture.bytes) && picture.toBlob());
      const { svg } = await client.viz.renderSvg(${chart});
      document.body.innerHTML = svg;
      return [width, height, document.querySelector('svg text') !== null];
    })()`);

    expect(size).toEqual([600, 400, true]);
  });

  it('may pass its own fetch', async () => {
    const { name, context } = await tabs.newUser();
    const page = await tabs.openTab(context);

    const user = await page.evaluate('client.withOptions({ fetch: window.fetch }).me().then(({ id }) => id)');

    expect(user).toBe(name);
  });

  it.each([
    ['a missing task', "client.tasks.get('none')", 'NotFoundError', /^404 Task not found/],
    [
      'a server that does not allow the page',
      "client.withOptions({ baseUrl: 'http://127.0.0.1:1', retriesMax: 0 }).me()",
      'ConnectionError',
      /does not allow pages of http.*: add it to CORS_ORIGINS/,
    ],
  ])('knows the error of %s by its class', async (_name, call, name, message) => {
    const { context } = await tabs.newUser();
    const page = await tabs.openTab(context);

    const error = await page.evaluate(
      `errorOf(${call}).then((error) => [error instanceof sdk.${name}, error.message])`,
    );

    expect(error).toEqual([true, expect.stringMatching(message)]);
  });
});
