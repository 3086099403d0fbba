import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing, chromiumPath, launchChromium } from '../../scripts/chromium.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

if (chromiumPath === undefined) console.warn(chromiumMissing);

describe.skipIf(chromiumPath === undefined)('the reference page in a browser', () => {
  let browser: Browser;
  let server: TestServer;

  beforeAll(async () => {
    browser = await launchChromium();
    server = await startTestServer();
  });

  afterAll(() => browser.close());

  it('shows every operation of the contract', async () => {
    const { page } = await openReference(browser, server);

    expect(await page.locator('.opblock').count()).toBe(18);
    expect(await page.locator('h1, .title').first().textContent()).toMatch(/^Worktable/);
  });

  it('authorizes and creates a task, which the answer shows', async () => {
    const { page } = await openReference(browser, server);

    const answer = await createTask(page);
    if (process.env['SCREENSHOT'] !== undefined) await page.screenshot({ path: process.env['SCREENSHOT'] });

    expect(await answer.locator('.response-col_status').textContent()).toMatch(/^201/);
    expect(await answer.textContent()).toContain('"title": "Buy milk"');
  });

  it('causes no error in the console and no request to the outside', async () => {
    const { page, complaints, addresses } = await openReference(browser, server);

    await createTask(page);

    const inside = [`${server.url}/`, 'data:'];
    expect(addresses).toContain(`${server.url}/api/tasks`);
    expect(addresses.filter((address) => !inside.some((start) => address.startsWith(start)))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** The page as a newcomer opens it, with what its console complains of and the addresses that it asks for. */
async function openReference(
  browser: Browser,
  { url }: TestServer,
): Promise<{ page: Page; complaints: string[]; addresses: string[] }> {
  const complaints: string[] = [];
  const addresses: string[] = [];
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  onTestFinished(() => page.close());
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(`${url}/docs`);
  await page.locator('.opblock').first().waitFor();
  return { page, complaints, addresses };
}

/** Authorizes as alice and has the page create the task of the example; resolves to the answer that it shows. */
async function createTask(page: Page): Promise<Locator> {
  await page.locator('.btn.authorize').first().click();
  await page.locator('.auth-container input').fill(await tokenFor('alice'));
  await page.locator('.auth-btn-wrapper .authorize').click();
  await page.locator('.auth-btn-wrapper .btn-done').click();
  const operation = page.locator('#operations-Tasks-createTask');
  await operation.locator('.opblock-summary-control').click();
  expect(await operation.locator('input[placeholder=Idempotency-Key]').inputValue()).toBe('');
  await operation.locator('.execute').click();
  const answer = operation.locator('.live-responses-table .response').first();
  await answer.waitFor();
  return answer;
}
