import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, untilListening } from './free-port.ts';
import { versionOf } from './installed.ts';

export const hasNginx = versionOf('nginx', '-v') !== undefined;
export const nginxMissing =
  'nginx is missing, so nothing is tried behind it. Install it (Debian: apt-get install nginx-light).';

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts nginx in front of two servers, with the settings from server/install.md. */
export async function startNginx(ports: readonly [number, number]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'worktable-nginx-'));
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
  await untilListening(port);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
