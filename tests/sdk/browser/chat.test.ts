import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchChromium } from '../../../scripts/chromium.ts';
import { createClient, type Client } from '../../../sdk/src/index.ts';
import { metricOf } from '../../support/metrics.ts';
import { textResponse, toolCallResponse } from '../../support/model-server.ts';
import { startWithModel } from '../../support/with-model.ts';
import { writtenResponse } from '../../support/writing-model.ts';
import { sdkFolder, servePage } from './sdk-page.ts';

const recipe = readFileSync(join(sdkFolder, 'example/chat.ts'), 'utf8');

describe.skipIf(chromiumPath === undefined)('the chat of the recipe in a browser', () => {
  let started: Awaited<ReturnType<typeof startWithModel>>;
  let client: Client;
  let browser: Browser;
  let context: BrowserContext;
  let origin: string;
  let first: Page;

  beforeAll(async () => {
    let script = '';
    origin = await servePage(() => script);
    const changes = { agents: { defaultRuntime: 'local' } };
    started = await startWithModel({ CORS_ORIGINS: origin }, {}, changes);
    const token = await started.server.token('alice');
    client = createClient({ baseUrl: started.server.url, token });
    script = recipe
      .replace('http://127.0.0.1:3000', started.server.url)
      .replace('the token that the server printed', token);
    browser = await launchChromium();
    context = await browser.newContext();
    first = await openTab();
  });

  afterAll(() => browser.close());

  async function openTab(): Promise<Page> {
    const page = await context.newPage();
    page.on('pageerror', (error) => {
      throw error;
    });
    await page.goto(origin);
    await page.locator('input').waitFor();
    return page;
  }

  const texts = (page: Page): Promise<string[]> => page.locator('li').allTextContents();
  const say = async (text: string): Promise<void> => {
    await first.locator('input').fill(text);
    await first.locator('input').press('Enter');
  };

  it('shows the text as it is written, on one stream in two tabs and after a reload, each piece once', async () => {
    const answer = writtenResponse();
    started.model.respondWith(answer.response);
    await say('What should I buy?');
    await answer.write('Buy ');
    await expect.poll(() => texts(first)).toEqual(['What should I buy?', 'Buy ']);

    const second = await openTab();
    await expect.poll(() => texts(second)).toEqual(['What should I buy?', 'Buy ']);
    expect(await metricOf(started.server, 'long_requests')).toBe(1);
    await first.reload();
    await answer.write('milk.');
    await answer.end();

    for (const page of [first, second]) {
      await expect.poll(() => page.locator('output').textContent()).toBe('completed');
      expect(await texts(page)).toEqual(['What should I buy?', 'Buy milk.']);
    }
  });

  it('asks for an approval in both tabs, and either may decide', async () => {
    const second = await openTab();
    started.model.respondWith(
      toolCallResponse('create_task', { title: 'Milk' }),
      textResponse('It is on your list.'),
    );
    await say('Note it.');
    const question = second.locator('span');
    await expect.poll(() => question.textContent()).toContain('create_task {"title":"Milk"}');

    await question.getByText('Approve').click();

    for (const page of [first, second]) {
      await expect
        .poll(async () => (await texts(page)).slice(-2))
        .toEqual(['Note it.', 'It is on your list.']);
      await expect.poll(() => page.locator('output').textContent()).toBe('completed');
      expect(await page.locator('span').count()).toBe(0);
    }
    expect((await client.tasks.list().toArray()).map(({ title }) => title)).toEqual(['Milk']);
  });

  it('shows the chart that a tool drew', async () => {
    const chart = { chart_type: 'pie', data: [{ label: 'Milk', value: 1 }] };
    started.model.respondWith(toolCallResponse('render_chart', chart), textResponse('Here it is.'));
    await say('Chart it.');

    await first.locator('span').getByText('Approve').click();

    await expect.poll(async () => (await texts(first)).at(-1)).toBe('Here it is.');
    // Wait until the text is stored, which is after it is shown: a message sent in between would precede it.
    await expect.poll(() => first.locator('output').textContent()).toBe('completed');
    await expect.poll(async () => (await first.locator('li img').boundingBox())?.width).toBeGreaterThan(100);
  });

  it('keeps the text of a cancelled run, even after a reload', async () => {
    const answer = writtenResponse();
    started.model.respondWith(answer.response);
    await say('Tell me more.');
    await answer.write('Once upon');
    await expect.poll(async () => (await texts(first)).at(-1)).toBe('Once upon');

    await first.getByText('Cancel').click();

    await expect.poll(() => first.locator('output').textContent()).toBe('cancelled');
    const before = await texts(first);
    expect(before.slice(-2)).toEqual(['Tell me more.', 'Once upon']);
    await first.reload();
    await expect.poll(() => texts(first)).toEqual(before);
  });
});
