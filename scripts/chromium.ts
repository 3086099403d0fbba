import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The path of the installed Chromium, if any; the variable CHROMIUM overrides it. */
export const chromiumPath: string | undefined =
  process.env['CHROMIUM'] ?? paths.find((path) => existsSync(path));

export const chromiumMissing =
  'Chromium is missing, so browser tests are skipped. Install it (Debian: apt-get install chromium) or set CHROMIUM.';

/** Launches a headless Chromium with a fresh profile, and with the back/forward cache that users have. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(chromiumMissing);
  return chromium.launch({
    executablePath: chromiumPath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-sync'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
}
