import { createServer } from 'node:http';
import { launchChromium } from '../chromium.ts';

export const pagePort = 4390;
/** The origin of the page; the server must allow it by CORS. */
export const pageOrigin = `http://127.0.0.1:${pagePort}`;

/** Runs a script in a page of its own and resolves to what it wrote to the console. */
export async function useInBrowser(script: string): Promise<string> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? script
        : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(pagePort, '127.0.0.1', resolve));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const said = new Promise<string>((resolve) => {
      page.on('pageerror', (error) => {
        resolve(String(error));
      });
      page.on('console', (message) => {
        if (message.text() === 'used') resolve('used');
      });
    });
    await page.goto(pageOrigin);
    return await said;
  } finally {
    await browser.close();
    server.close();
  }
}
