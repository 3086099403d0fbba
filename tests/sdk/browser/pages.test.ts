import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath } from '../../../scripts/chromium.ts';
import { metricOf } from '../../support/metrics.ts';
import { expectIn, startTabs, type Tabs } from './tabs.ts';

/** A board with a live collection, and functions for the test. */
const script = (baseUrl: string): string => `
import { createCollection } from '@tanstack/db';
import { createClient } from '@worktable/sdk';
import { taskCollectionOptions } from '@worktable/sdk/tanstack-db';
const token = async () => localStorage.getItem('token');
const client = createClient({ baseUrl: '${baseUrl}', token });
const states = [];
const onState = ({ state }) => { states.push(state); };
const tasks = createCollection(taskCollectionOptions(client, { status: ['todo', 'blocked'], onState }));
tasks.subscribeChanges(() => {
  document.body.replaceChildren(...tasks.toArray.map(({ title }) => {
    return Object.assign(document.createElement('p'), { textContent: title });
  }));
}, { includeInitialState: true });
Object.assign(window, { client, states });
`;

describe.skipIf(chromiumPath === undefined)('a page', () => {
  let tabs: Tabs;

  beforeAll(async () => {
    tabs = await startTabs(script);
  });

  const shows = (page: Page, titles: readonly string[]) =>
    expect.poll(async () => (await page.locator('p').allTextContents()).sort()).toEqual([...titles].sort());
  const isLive = (page: Page) => expectIn(page, 'states.at(-1)', 'live');

  it('shows the same live collection in two tabs on one stream, including what others change while it is offline', async () => {
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

  it('may pass its own fetch', async () => {
    const { name, context } = await tabs.newUser();
    const page = await tabs.openTab(context);

    const user = await page.evaluate('client.withOptions({ fetch: window.fetch }).me().then(({ id }) => id)');

    expect(user).toBe(name);
  });
});
