import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../peers', import.meta.url));

/** Installs the peers the first time. They are no dependency of anything else. */
export function installPeers(): void {
  if (existsSync(`${folder}/node_modules/.package-lock.json`)) return;
  console.log('Installing the peers (once; takes a minute or two) …');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
}
