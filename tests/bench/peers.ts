import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('peers', import.meta.url));
const lockFile = `${folder}/package-lock.json`;
const stamp = `${folder}/node_modules/.installed`;

/** Installs the peers on the first run, and when their lock file has changed. */
export function installPeers(): void {
  if (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lockFile))) return;
  console.error('Installing the peers (once; takes a minute or two) …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
  copyFileSync(lockFile, stamp);
}
