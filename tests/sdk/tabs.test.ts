import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath, launchChromium } from '../../scripts/chromium.ts';
import { createClient, type Client } from '../../sdk/src/index.ts';
import { metricOf } from '../support/metrics.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { servePage } from './sdk-page.ts';

/** Follows the changes, and keeps the tasks, the states and the error for the test. */
const script = (baseUrl: string): string => `
import { createClient } from '@worktable/sdk';
const client = createClient({ baseUrl: '${baseUrl}', token: async () => localStorage.getItem('token') });
const seen = { tasks: [], states: [], failure: undefined };
window.seen = seen;
const after = new URLSearchParams(location.search).get('after') ?? '0';
const onState = ({ state }) => { seen.states.push(state); };
const loops = Number(new URLSearchParams(location.search).get('loops') ?? '1');
for (let n = 0; n < loops; n += 1) void (async () => {
  try {
    for await (const { task_id } of client.tasks.changes({ after }, { onState })) seen.tasks.push(task_id);
  } catch (error) {
    seen.failure = error.name;
  }
})();
`;

interface Seen {
  readonly tasks: readonly string[];
  readonly states: readonly string[];
  readonly failure: string | undefined;
}

// Ten pages on a busy machine take their time.
const patience = { timeout: 60_000 };

describe.skipIf(chromiumPath === undefined)('changes in the tabs of a browser', patience, () => {
  let server: TestServer;
  let relay: Relay;
  let browser: Browser;
  let origin: string;
  let users = 0;

  beforeAll(async () => {
    let text = '';
    origin = await servePage(() => text);
    server = await startTestServer({ env: { CORS_ORIGINS: origin } });
    relay = await startRelay(server.url);
    text = script(relay.url);
    browser = await launchChromium();
  }, 60_000);

  afterAll(() => browser.close());

  /** A browser profile of a new user, and the user's client outside it. */
  async function newUser(claims: Record<string, unknown> = {}): Promise<{
    client: Client;
    context: BrowserContext;
    create: (count: number) => Promise<string[]>;
  }> {
    const user = `tabs-${++users}`;
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    await context.addInitScript(`localStorage.token ??= '${await tokenFor(user, claims)}'`);
    const client = createClient({ baseUrl: server.url, token: await server.token(user) });
    const create = async (count: number): Promise<string[]> => {
      const ids: string[] = [];
      while (ids.length < count) ids.push((await client.tasks.create({ title: 'Buy milk' })).id);
      return ids;
    };
    return { client, context, create };
  }

  async function openTab(context: BrowserContext, query = ''): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}/${query}`);
    return page;
  }

  const seenBy = (page: Page): Promise<Seen> =>
    page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
  const isLive = (page: Page) =>
    expect.poll(async () => (await seenBy(page)).states.at(-1), patience).toBe('live');
  const hasSeen = (page: Page, ids: readonly string[]) =>
    expect.poll(async () => (await seenBy(page)).tasks, patience).toEqual(ids);

  it.each([2, 8])('%i tabs hold one stream, and each sees every change once', async (count) => {
    const { context, create } = await newUser();
    const before = await create(3);
    const tabs: Page[] = [];
    while (tabs.length < count) tabs.push(await openTab(context));
    for (const tab of tabs) await isLive(tab);

    const after = await create(5);

    for (const tab of tabs) await hasSeen(tab, [...before, ...after]);
    expect(await metricOf(server, 'change_streams')).toBe(1);
  });

  it('the loops of one tab share its stream', async () => {
    const { context, create } = await newUser();
    const tab = await openTab(context, '?loops=3&after=now');
    await expect
      .poll(async () => (await seenBy(tab)).states.filter((each) => each === 'live'))
      .toHaveLength(3);

    const [id = ''] = await create(1);

    await hasSeen(tab, [id, id, id]);
    expect(await metricOf(server, 'change_streams')).toBe(1);
  });

  it('another tab goes on when the one that holds the stream is closed, without a gap or a repetition', async () => {
    const { context, create } = await newUser();
    const tabs = [await openTab(context), await openTab(context)];
    for (const tab of tabs) await isLive(tab);
    const ids = await create(2);
    for (const tab of tabs) await hasSeen(tab, ids);
    // A tab that joins now must not set the others back to where the stream began.
    tabs.push(await openTab(context));
    for (const tab of tabs) await hasSeen(tab, ids);

    const creating = create(20);
    await tabs.shift()?.close();
    ids.push(...(await creating), ...(await create(2)));

    for (const tab of tabs) await hasSeen(tab, ids);
    expect(await metricOf(server, 'change_streams')).toBe(1);
  });

  it('a tab that begins at "now" sees what comes, although another tab follows from the start', async () => {
    const { context, create } = await newUser();
    const before = await create(2);
    const all = await openTab(context);
    await hasSeen(all, before);
    const recent = await openTab(context, '?after=now');
    await isLive(recent);

    const after = await create(2);

    await hasSeen(recent, after);
    await hasSeen(all, [...before, ...after]);
  });

  it('an outage of the server is reported, and what happened in it is seen afterwards', async () => {
    const { context, create } = await newUser();
    const tabs = [await openTab(context), await openTab(context)];
    for (const tab of tabs) await isLive(tab);

    onTestFinished(() => relay.restore());
    await relay.cut();
    for (const tab of tabs)
      await expect.poll(async () => (await seenBy(tab)).states.at(-1), patience).toBe('lost');
    const ids = await create(3);
    await relay.restore();

    for (const tab of tabs) {
      await isLive(tab);
      await hasSeen(tab, ids);
    }
  });

  it('a stream that ends with its token goes on with the next one', async () => {
    const exp = Math.ceil(Date.now() / 1000) + 3;
    const { context, create } = await newUser({ exp });
    const tabs = [await openTab(context), await openTab(context)];
    for (const tab of tabs) await isLive(tab);
    const token = await server.token(`tabs-${users}`);
    await tabs[0]?.evaluate((next) => {
      (globalThis as unknown as { localStorage: { token: string } }).localStorage.token = next;
    }, token);
    await expect.poll(() => Date.now() > exp * 1000, patience).toBe(true);

    const ids = await create(2);

    for (const tab of tabs) await hasSeen(tab, ids);
  });

  it('tabs of another user of the same browser see nothing of it', async () => {
    const { context, create } = await newUser();
    const mine = await openTab(context);
    await isLive(mine);
    const other = await openTab(context, '?after=now');
    const token = await server.token('somebody-else');
    await other.evaluate((next) => {
      (globalThis as unknown as { localStorage: { token: string } }).localStorage.token = next;
    }, token);
    await other.reload();
    await isLive(other);

    const ids = await create(2);

    await hasSeen(mine, ids);
    expect((await seenBy(other)).tasks).toEqual([]);
  });
});
