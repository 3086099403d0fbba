import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '../chromium.ts';

const limitMs = 60_000;

/** A page on a port of its own, for a browser to run a script in. */
export interface Page {
  /** The server must allow it by CORS. */
  readonly origin: string;
  /** Runs the script and resolves to what came of it: "used" if all is well. */
  run(script: string): Promise<string>;
  close(): void;
}

export async function startPage(): Promise<Page> {
  let script = '';
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? script
        : '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>',
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has such an address.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    run: (text) => {
      script = text;
      return useInBrowser(origin);
    },
    close: () => {
      server.close();
    },
  };
}

/** Opens the page and resolves when its script says that it is done, fails, or says nothing for too long. */
async function useInBrowser(origin: string): Promise<string> {
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
      setTimeout(() => {
        resolve(`The page was not done after ${limitMs / 1000} seconds.`);
      }, limitMs).unref();
    });
    await page.goto(origin);
    return await said;
  } finally {
    await browser.close();
  }
}
