import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../../scripts/chromium.ts';
import { metricOf } from '../../support/metrics.ts';
import { expectIn, startTabs, type Tabs } from './tabs.ts';

/** Follows the changes, and keeps tasks and states for the test. */
const script = (baseUrl: string): string => `
import { createClient } from '@worktable/sdk';
const seen = { tasks: [], states: [] };
const query = new URLSearchParams(location.search);
let tokens = query.has('late') ? 0 : 1;
const token = async () => {
  if (tokens++ === 0) throw new Error('The session has not been read yet.');
  return localStorage.getItem('token');
};
const client = createClient({ baseUrl: '${baseUrl}', token });
window.seen = seen;
const after = query.get('after') ?? '0';
const deny = () => Promise.reject(new DOMException('Access to the Locks API is denied.', 'SecurityError'));
if (query.has('denied')) Object.assign(navigator.locks, { query: deny, request: deny });
if (query.has('alone')) Object.defineProperty(navigator, 'locks', { value: undefined });
window.setVisibility = (value) => {
  Object.defineProperty(document, 'visibilityState', { value, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
};
const onState = ({ state }) => { seen.states.push(state); };
const loops = Number(query.get('loops') ?? '1');
for (let n = 0; n < loops; n += 1) void (async () => {
  for await (const { task_id } of client.tasks.changes({ after }, { onState })) seen.tasks.push(task_id);
})();
`;

const isLive = (page: Page) => expectIn(page, 'seen.states.at(-1)', 'live');
const hasSeen = (page: Page, ids: readonly string[]) => expectIn(page, 'seen.tasks', ids);

describe.skipIf(chromiumPath === undefined)('changes in the tabs of a browser', () => {
  let tabs: Tabs;

  beforeAll(async () => {
    tabs = await startTabs(script);
  });

  it('eight tabs hold one stream, and each sees every change once', async () => {
    const { context, create } = await tabs.newUser();
    const before = await create(3);
    const pages: Page[] = [];
    while (pages.length < 8) pages.push(await tabs.openTab(context));
    for (const tab of pages) await isLive(tab);

    const after = await create(5);

    for (const tab of pages) await hasSeen(tab, [...before, ...after]);
    expect(await metricOf(tabs.server, 'long_requests')).toBe(1);
  });

  it('the loops of one tab share its stream', async () => {
    const { context, create } = await tabs.newUser();
    const tab = await tabs.openTab(context, '?loops=3&after=now');
    await expectIn(tab, "seen.states.filter((each) => each === 'live').length", 3);

    const [id = ''] = await create(1);

    await hasSeen(tab, [id, id, id]);
    expect(await metricOf(tabs.server, 'long_requests')).toBe(1);
  });

  it('another tab goes on when the one that holds the stream is closed, without a gap or a repetition', async () => {
    const { context, create } = await tabs.newUser();
    const pages = [await tabs.openTab(context), await tabs.openTab(context)];
    for (const tab of pages) await isLive(tab);
    const ids = await create(2);
    for (const tab of pages) await hasSeen(tab, ids);
    // A tab that joins now must not take the others back to the beginning of the stream.
    pages.push(await tabs.openTab(context));
    for (const tab of pages) await hasSeen(tab, ids);

    const creating = create(20);
    await pages.shift()?.close();
    ids.push(...(await creating), ...(await create(2)));

    for (const tab of pages) await hasSeen(tab, ids);
    expect(await metricOf(tabs.server, 'long_requests')).toBe(1);
  });

  it('another tab goes on when the one that holds the stream shows another page', async () => {
    const { context, create } = await tabs.newUser();
    const [first, second] = [await tabs.openTab(context), await tabs.openTab(context)];
    for (const tab of [first, second]) await isLive(tab);

    await first.goto('about:blank');
    const ids = await create(2);

    await hasSeen(second, ids);
  });

  it.each(['late', 'denied'])('a tab whose token or locks are %s has a stream of its own', async (query) => {
    const { context, create } = await tabs.newUser();
    const page = await tabs.openTab(context, `?${query}`);

    await hasSeen(page, await create(2));
  });

  it('a tab that begins at "now" sees new changes, even if another tab follows from the start', async () => {
    const { context, create } = await tabs.newUser();
    const before = await create(2);
    const all = await tabs.openTab(context);
    await hasSeen(all, before);
    const recent = await tabs.openTab(context, '?after=now');
    await isLive(recent);

    const after = await create(2);

    await hasSeen(recent, after);
    await hasSeen(all, [...before, ...after]);
  });

  it('a stream that ends with its token goes on with the next one', async () => {
    const exp = Math.ceil(Date.now() / 1000) + 8;
    const { name, context, create } = await tabs.newUser({ exp });
    const pages = [await tabs.openTab(context), await tabs.openTab(context)];
    for (const tab of pages) await isLive(tab);
    const token = await tabs.server.token(name);
    await pages[0]?.evaluate(`localStorage.token = '${token}'`);
    await expect.poll(() => Date.now() > exp * 1000).toBe(true);

    const ids = await create(2);

    for (const tab of pages) await hasSeen(tab, ids);
  });

  it('tabs of another user of the same browser see nothing of it', async () => {
    const { context, create } = await tabs.newUser();
    const mine = await tabs.openTab(context);
    await isLive(mine);
    const other = await tabs.openTab(context, '?after=now');
    const token = await tabs.server.token('somebody-else');
    await other.evaluate(`localStorage.token = '${token}'`);
    await other.reload();
    await isLive(other);

    const ids = await create(2);

    await hasSeen(mine, ids);
    await hasSeen(other, []);
  });

  it('a tab without Web Locks closes its stream while it is hidden, and sees afterwards what happened', async () => {
    const { context, create } = await tabs.newUser();
    const page = await tabs.openTab(context, '?alone');
    await isLive(page);
    const ids = await create(2);
    await hasSeen(page, ids);

    await page.evaluate("setVisibility('hidden')");
    await expectIn(page, 'seen.states.at(-1)', 'paused');
    await expect.poll(() => metricOf(tabs.server, 'long_requests')).toBe(0);
    ids.push(...(await create(3)));
    await page.evaluate("setVisibility('visible')");

    await hasSeen(page, ids);
    await expectIn(page, 'seen.states', ['connecting', 'live', 'paused', 'connecting', 'live']);
  });
});
