/** Starts a demo of the service and the example of the SDK, and prints the address of its page. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { matchInOutput, shell } from './package/shell.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'sdk/example');
const quiet = ['--silent', '--no-audit', '--no-fund'];

console.log('Packing the SDK and installing the example …');
const packed = await shell(root, 'npm', 'pack', '--silent', '--workspace', '@worktable/sdk');
await shell(folder, 'npm', 'ci', ...quiet);
// `--no-save` keeps the tarball out of the lock file. Each change of the SDK makes another tarball.
const tarball = join(root, packed.trim().split('\n').at(-1) ?? '');
await shell(folder, 'npm', 'install', '--no-save', ...quiet, tarball);

const children: ChildProcess[] = [];
process.on('exit', () => {
  for (const child of children) child.kill();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit());

const demo = spawn(process.execPath, [join(root, 'server/src/cli.ts'), 'serve', '--demo'], {
  env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
children.push(demo);
const printed = /ready at (http:[^\s"]+)[^]*^ +alice +(\S+)$/m;
const [, url, token] = (await matchInOutput(demo.stdout, printed)) ?? [];
const env = { ...process.env, WORKTABLE_URL: url, VITE_WORKTABLE_TOKEN: token };
const page = spawn(join(folder, 'node_modules/.bin/vite'), { cwd: folder, env, stdio: 'inherit' });
page.on('exit', () => process.exit());
children.push(page);
