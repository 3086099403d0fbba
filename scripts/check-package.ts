/**
 * Checks the packages before publishing: builds and packs them, lints the tarballs of SDK and charts, measures the SDK,
 * and uses the packages in empty projects on every platform. An argument, such as `recipes`, selects platforms by name.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumMissing, chromiumPath } from './chromium.ts';
import { pageOrigin } from './package/browser.ts';
import { createProject, platforms } from './package/platforms.ts';
import { startServer } from './package/server.ts';
import { inspectBuild, lintTarball, pack, type Tarballs } from './package/tarball.ts';

const wanted = process.argv[2]?.toLowerCase() ?? '';
const folder = await mkdtemp(join(tmpdir(), 'worktable-package-'));
try {
  const tarballs = await pack(folder);
  report('publint and attw of the SDK', await lintTarball(tarballs.sdk));
  report('publint and attw of the charts', await lintTarball(tarballs.charts));
  const { violations, gzipBytes } = await inspectBuild();
  report(`the build, ${gzipBytes} bytes after gzip`, violations);
  await usePackages(tarballs);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function usePackages(tarballs: Tarballs): Promise<void> {
  const { server, stop } = await startServer(tarballs, join(folder, 'server'), pageOrigin);
  try {
    for (const [name, use] of Object.entries(platforms)) {
      if (!name.toLowerCase().includes(wanted)) continue;
      if (name.includes('Chromium') && chromiumPath === undefined) {
        console.log(`skipped  ${name}. ${chromiumMissing}`);
        continue;
      }
      const project = { ...tarballs, folder: join(folder, name.replaceAll(/\W+/g, '-')), server };
      await createProject(project.folder, tarballs.sdk);
      const output = await use(project).catch((error: unknown) => String(error));
      const [, result] = /(.*)used$/.exec(output.trim()) ?? [];
      report(`${name} ${result ?? ''}`.trim(), result === undefined ? [output] : []);
    }
  } finally {
    await stop();
  }
}

function report(what: string, violations: readonly string[]): void {
  console.log(`${violations.length === 0 ? 'ok      ' : 'FAILED  '} ${what}`);
  for (const violation of violations) console.log(`         ${violation}`);
  if (violations.length > 0) process.exitCode = 1;
}
