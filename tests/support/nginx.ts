import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUpAfter } from './cleanup.ts';
import { createFolder } from './folder.ts';
import { freePort, untilListening } from './free-port.ts';
import { versionOf } from './installed.ts';

export const hasNginx = versionOf('nginx', '-v') !== undefined;
export const nginxMissing =
  'nginx is missing, so nothing is tried behind it. Install it (Debian: apt-get install nginx-light).';

/**
 * Starts nginx in front of two servers, with the settings from server/install.md. It stops after the test or file.
 * Resolves to its address.
 */
export async function startNginx(ports: readonly [number, number]): Promise<string> {
  const folder = await createFolder();
  const port = await freePort();
  const page = await readFile(new URL('../../server/install.md', import.meta.url), 'utf8');
  const [, snippet = ''] = /```nginx\n(upstream [\s\S]*?)```/.exec(page) ?? [];
  const settings = snippet
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
    .replace(/listen 443 ssl.*/, `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_certificate.*\n/gm, '');
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  await writeFile(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
     http { access_log off; ${temporary}\n${settings} }`,
  );
  const child = spawn('nginx', ['-c', file, '-p', folder, '-e', join(folder, 'error.log')]);
  const exited = once(child, 'exit');
  cleanUpAfter(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  await untilListening(port);
  return `http://127.0.0.1:${port}`;
}
