/**
 * Checks the SDK package before publishing: builds and packs it, lints the tarball, measures its size, and uses it from
 * empty projects on every platform, with a real server. An argument, such as `recipes`, selects platforms by their names.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumMissing, chromiumPath } from './chromium.ts';
import { startPage } from './package/browser.ts';
import { createProject, platforms } from './package/platforms.ts';
import { startServer } from './package/server.ts';
import { inspectBuild, lintTarball, packSdk } from './package/tarball.ts';

const wanted = process.argv[2]?.toLowerCase() ?? '';
const folder = await mkdtemp(join(tmpdir(), 'worktable-package-'));
try {
  const tarball = await packSdk(folder);
  report('publint and attw', await lintTarball(tarball));
  const { violations, gzipBytes } = await inspectBuild();
  report(`the build, ${gzipBytes} bytes after gzip`, violations);
  await usePackage(tarball);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function usePackage(tarball: string): Promise<void> {
  const page = await startPage();
  const { server, stop } = await startServer(join(folder, 'data'), page.origin);
  try {
    for (const [name, use] of Object.entries(platforms)) {
      if (!name.toLowerCase().includes(wanted)) continue;
      if (name.includes('Chromium') && chromiumPath === undefined) {
        console.log(`skipped  ${name}. ${chromiumMissing}`);
        continue;
      }
      const project = { folder: join(folder, name.replaceAll(/\W+/g, '-')), server, page };
      await createProject(project.folder, tarball);
      const output = await use(project).catch((error: unknown) => String(error));
      report(name, output.trim().endsWith('used') ? [] : [output]);
    }
  } finally {
    await stop();
    page.close();
  }
}

function report(what: string, violations: readonly string[]): void {
  console.log(`${violations.length === 0 ? 'ok      ' : 'FAILED  '} ${what}`);
  for (const violation of violations) console.log(`         ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
}
