import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The installed Chromium, if there is one; CHROMIUM names another. */
export const chromiumPath: string | undefined =
  process.env['CHROMIUM'] ?? paths.find((path) => existsSync(path));

export const chromiumMissing =
  'Chromium is missing, so nothing is tried in a browser. Install it (Debian: apt-get install chromium) or set CHROMIUM.';

/** A headless Chromium with a fresh profile, which asks for nothing by itself. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(chromiumMissing);
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
