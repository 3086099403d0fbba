import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';

/** Installs the packages of a folder, on the first run and after a change of its lock file. */
export function installPeers(folder: string, ...options: readonly string[]): void {
  const lockFile = `${folder}/package-lock.json`;
  const stamp = `${folder}/node_modules/.installed`;
  if (existsSync(stamp) && readFileSync(stamp).equals(readFileSync(lockFile))) return;
  console.error('Installing the peers (once; takes a minute or two) …');
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...options], {
    cwd: folder,
    stdio: 'inherit',
  });
  copyFileSync(lockFile, stamp);
}
