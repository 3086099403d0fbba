import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumMissing, chromiumPath, launchChromium } from '../../scripts/chromium.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';

if (chromiumPath === undefined) console.warn(chromiumMissing);

describe.skipIf(chromiumPath === undefined)('the reference page in a browser', () => {
  let browser: Browser;
  let server: TestServer;
  let page: Page;
  const complaints: string[] = [];
  const addresses: string[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    server = await startTestServer();
    page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`${server.url}/docs`);
  });

  afterAll(() => browser.close());

  it('shows every operation of the contract', async () => {
    await page.locator('.opblock').first().waitFor();

    expect(await page.locator('.opblock').count()).toBe(18);
    expect(await page.locator('h1, .title').first().textContent()).toMatch(/^Worktable/);
  });

  it('authorizes and creates a task, which the answer shows', async () => {
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
    if (process.env['SCREENSHOT'] !== undefined) await page.screenshot({ path: process.env['SCREENSHOT'] });

    expect(await answer.locator('.response-col_status').textContent()).toMatch(/^201/);
    expect(await answer.textContent()).toContain('"title": "Buy milk"');
  });

  it('causes no error in the console and no request to the outside', () => {
    expect(complaints).toEqual([]);
    expect(
      addresses.filter((address) => !address.startsWith(server.url) && !address.startsWith('data:')),
    ).toEqual([]);
  });
});
