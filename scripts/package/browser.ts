import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../chromium.ts';
import { bundle } from './tarball.ts';

const timeout = 60_000;

/** The page's origin, which the server must allow (CORS). Nothing listens there: `page.route` serves the page. */
export const pageOrigin = 'http://localhost:5173';

/** Bundles a program and runs it in a page. Resolves to "used" if it succeeds, otherwise to an error message. */
export async function runInPage(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, 'page.mjs'), program);
  const content = await bundle('./page.mjs', folder);
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ permissions: ['local-network-access'] });
    await page.route(`${pageOrigin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto(pageOrigin);
    const used = page.waitForEvent('console', { predicate: (message) => message.text() === 'used', timeout });
    const failed = page.waitForEvent('pageerror', { timeout });
    const result = Promise.race([used.then(() => 'used'), failed.then(String)]);
    return (await Promise.all([result, page.addScriptTag({ type: 'module', content })]))[0];
  } finally {
    await browser.close();
  }
}
