/**
 * Checks the SDK as it would be published: builds and packs it, lints the tarball, measures it, and uses it from empty
 * projects on every platform against a real server.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumMissing, chromiumPath } from './chromium.ts';
import { pageOrigin } from './package/browser.ts';
import { createProject, platforms } from './package/platforms.ts';
import type { ServerAddress } from './package/program.ts';
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
  const { server, stop } = await startServer();
  try {
    for (const [name, use] of Object.entries(platforms)) {
      if (name.includes('Chromium') && chromiumPath === undefined) {
        console.log(`skipped  ${name}. ${chromiumMissing}`);
        continue;
      }
      const project = { folder: join(folder, name.replaceAll(/\W+/g, '-')), server };
      await createProject(project.folder, tarball);
      const said = await use(project).catch((error: unknown) => String(error));
      report(name, said.trim().endsWith('used') ? [] : [said]);
    }
  } finally {
    await stop();
  }
}

/** A server with an empty database that pages of the browser check may call. */
async function startServer(): Promise<{ server: ServerAddress; stop: () => Promise<void> }> {
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    CORS_ORIGINS: pageOrigin,
  };
  const child = spawn(process.execPath, ['server/src/cli.ts', 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const server = await new Promise<ServerAddress>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, baseUrl] = /ready at (http:\S+)/.exec(output) ?? [];
      const [, token] = /Bearer (\S+?)'/.exec(output) ?? [];
      if (baseUrl !== undefined && token !== undefined) resolve({ baseUrl, token });
    });
    child.once('exit', () => {
      reject(new Error(`The server did not start: ${output}`));
    });
  });
  return {
    server,
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit').once('exit', () => {
          resolve();
        });
        child.kill();
      }),
  };
}

function report(what: string, complaints: readonly string[]): void {
  console.log(`${complaints.length === 0 ? 'ok      ' : 'FAILED  '} ${what}`);
  for (const complaint of complaints) console.log(`         ${complaint}`);
  if (complaints.length > 0) process.exitCode = 1;
}
