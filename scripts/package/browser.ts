import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '../chromium.ts';

const timeout = 60_000;

/** A page on its own port, in which a browser runs a script. */
export interface Page {
  /** The server must allow this origin (CORS). */
  readonly origin: string;
  /** Runs the script. Resolves to "used" if it succeeds, otherwise to an error message. */
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
  // The address of a server that listens on a port is an AddressInfo.
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

/** Opens the page and resolves when its script succeeds, fails or times out. */
async function useInBrowser(origin: string): Promise<string> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const used = page.waitForEvent('console', { predicate: (message) => message.text() === 'used', timeout });
    const failed = page.waitForEvent('pageerror', { timeout });
    const result = Promise.race([used.then(() => 'used'), failed.then(String)]);
    return (await Promise.all([result, page.goto(origin)]))[0];
  } finally {
    await browser.close();
  }
}
