/**
 * Checks the SDK as it would be published: builds and packs it, lints the tarball, measures it, and uses it from empty
 * projects on every platform against a real server.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumMissing, chromiumPath } from './chromium.ts';
import { startPage } from './package/browser.ts';
import { createProject, platforms } from './package/platforms.ts';
import { startServer } from './package/server.ts';
import { inspectBuild, lintTarball, packSdk } from './package/tarball.ts';

const folder = await mkdtemp(join(tmpdir(), 'worktable-package-'));
try {
  const tarball = await packSdk(folder);
  report('publint and attw', await lintTarball(tarball));
  const { complaints, gzipBytes } = await inspectBuild();
  report(`the build, ${gzipBytes} bytes by gzip`, complaints);
  await usePackage(tarball);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function usePackage(tarball: string): Promise<void> {
  const page = await startPage();
  const { server, stop } = await startServer(join(folder, 'data'), page.origin);
  try {
    for (const [name, use] of Object.entries(platforms)) {
      if (name.includes('Chromium') && chromiumPath === undefined) {
        console.log(`skipped  ${name}. ${chromiumMissing}`);
        continue;
      }
      const project = { folder: join(folder, name.replaceAll(/\W+/g, '-')), server, page };
      await createProject(project.folder, tarball);
      const said = await use(project).catch((error: unknown) => String(error));
      report(name, said.trim().endsWith('used') ? [] : [said]);
    }
  } finally {
    await stop();
    page.close();
  }
}

function report(what: string, complaints: readonly string[]): void {
  console.log(`${complaints.length === 0 ? 'ok      ' : 'FAILED  '} ${what}`);
  for (const complaint of complaints) console.log(`         ${complaint}`);
  if (complaints.length > 0) process.exitCode = 1;
}
