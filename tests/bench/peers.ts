import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('peers', import.meta.url));
const lockFile = `${folder}/package-lock.json`;
const stamp = `${folder}/node_modules/.installed`;

/** Installs the peers the first time and when their versions changed. They are no dependency of anything else. */
export function installPeers(): void {
  if (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lockFile))) return;
  console.error('Installing the peers (once; takes a minute or two) …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: 'inherit',
  });
  copyFileSync(lockFile, stamp);
}
