import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { launchChromium } from '../../../scripts/chromium.ts';
import { createClient, type Client } from '../../../sdk/src/index.ts';
import { cleanUpAfter } from '../../support/cleanup.ts';
import { startRelay, type Relay } from '../../support/relay.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';
import { servePage } from './sdk-page.ts';

export interface Tabs {
  readonly server: TestServer;
  /** The relay between the pages and the server. */
  readonly relay: Relay;
  newUser(claims?: Record<string, unknown>): Promise<TabUser>;
  openTab(context: BrowserContext, query?: string): Promise<Page>;
}

interface TabUser {
  readonly name: string;
  /** A client of the same user outside the browser. */
  readonly client: Client;
  /** The user's browser profile. Its pages find their token in `localStorage.token`. */
  readonly context: BrowserContext;
  /** Creates tasks, and resolves to their ids. */
  readonly create: (count: number) => Promise<string[]>;
}

/** Starts a server, and a browser whose pages run a script. `script` receives the address of the relay. */
export async function startTabs(script: (baseUrl: string) => string): Promise<Tabs> {
  let text = '';
  const origin = await servePage(() => text);
  const server = await startTestServer({ env: { CORS_ORIGINS: origin } });
  const relay = await startRelay(server.url);
  text = script(relay.url);
  const browser = await launchChromium();
  cleanUpAfter(() => browser.close());
  let users = 0;
  return {
    server,
    relay,
    async newUser(claims = {}) {
      const name = `tabs-${++users}`;
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      await context.addInitScript(`localStorage.token ??= '${await tokenFor(name, claims)}'`);
      const client = createClient({ baseUrl: server.url, token: await server.token(name) });
      const create = async (count: number): Promise<string[]> => {
        const ids: string[] = [];
        while (ids.length < count) ids.push((await client.tasks.create({ title: 'Buy milk' })).id);
        return ids;
      };
      return { name, client, context, create };
    },
    async openTab(context, query = '') {
      const page = await context.newPage();
      await page.goto(`${origin}/${query}`);
      return page;
    },
  };
}

/** Waits until an expression in the page has this value. */
export async function expectIn(page: Page, expression: string, value: unknown): Promise<void> {
  await expect.poll(() => page.evaluate(expression)).toEqual(value);
}
