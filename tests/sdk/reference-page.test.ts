import type { Locator, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { operations } from '../../server/src/contract/registry.ts';
import { chromiumMissing, chromiumPath, launchChromium } from '../../scripts/chromium.ts';
import { sharedServer } from '../support/server.ts';

if (chromiumPath === undefined) console.warn(chromiumMissing);

const server = sharedServer();

it.skipIf(chromiumPath === undefined)(
  'the reference page shows every operation and creates a task, without an error or a request to another server',
  async () => {
    const browser = await launchChromium();
    onTestFinished(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const [consoleErrors, urls]: [string[], string[]] = [[], []];
    page.on('pageerror', (error) => consoleErrors.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) consoleErrors.push(message.text());
    });
    page.on('request', (request) => urls.push(request.url()));
    await page.goto(`${server.url}/docs`);
    await page.locator('.opblock').first().waitFor();

    expect(await page.locator('.opblock').count()).toBe(Object.keys(operations).length);
    expect(await page.locator('h1, .title').first().textContent()).toMatch(/^Worktable/);
    const response = await createTask(page);
    expect(await response.locator('.response-col_status').textContent()).toMatch(/^201/);
    expect(await response.textContent()).toContain('"title": "Buy milk"');
    const allowed = [`${server.url}/`, 'data:'];
    expect(urls).toContain(`${server.url}/api/tasks`);
    expect(urls.filter((url) => !allowed.some((start) => url.startsWith(start)))).toEqual([]);
    expect(consoleErrors).toEqual([]);
  },
);

/** Authorizes as alice and creates the example task on the page. Resolves to the displayed response. */
async function createTask(page: Page): Promise<Locator> {
  await page.locator('.btn.authorize').first().click();
  await page.locator('.auth-container input').fill(await server.token('alice'));
  await page.locator('.auth-btn-wrapper .authorize').click();
  await page.locator('.auth-btn-wrapper .btn-done').click();
  const operation = page.locator('#operations-Tasks-createTask');
  await operation.locator('.opblock-summary-control').click();
  expect(await operation.locator('input[placeholder=Idempotency-Key]').inputValue()).toBe('');
  await operation.locator('.execute').click();
  const response = operation.locator('.live-responses-table .response').first();
  await response.waitFor();
  return response;
}
