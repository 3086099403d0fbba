import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shell } from './shell.ts';
import { sdkFolder } from './tarball.ts';

export interface ServerAddress {
  readonly baseUrl: string;
  readonly token: string;
}

/** A program with the README's first example, followed by short calls of other parts of the SDK. */
export function program(server: ServerAddress, form: 'esm' | 'cjs' = 'esm'): string {
  const body = `${example(server)}
const { data, response } = await client.tasks.get(task.id).withResponse();
if (data.status !== 'done' || response.headers.get('ETag') === null) throw new Error('The task was not updated.');
let count = 0;
for await (const each of client.tasks.list({ status: 'done', limit: 1 })) count += each.title === 'Buy milk' ? 1 : 0;
if (count === 0) throw new Error('The task is not in the list.');
const failure = await client.tasks.get('none').catch((error) => error);
if (!(failure instanceof NotFoundError) || failure.code !== 'Task not found') throw new Error('No NotFoundError.');
console.log('used');
`;
  if (form === 'esm') return `import { createClient, NotFoundError } from '@worktable/sdk';\n${body}`;
  return `const { createClient, NotFoundError } = require('@worktable/sdk');\n(async () => {\n${body}})();\n`;
}

/** The README's first example, without its import and with the server's address. */
function example(server: ServerAddress): string {
  const readme = readFileSync(join(sdkFolder, 'README.md'), 'utf8');
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  return withAddress(code.replace(/^import .*\n/, ''), server);
}

/** Replaces the address and token in a documented example with the server's. */
export function withAddress(code: string, { baseUrl, token }: ServerAddress): string {
  return code
    .replace("'http://127.0.0.1:3000'", `'${baseUrl}'`)
    .replace("'the token that the server printed'", `'${token}'`);
}

/** Compiles files as a strict project for a bundler, with the project's own TypeScript, or else with ours. */
export async function compile(folder: string, files: readonly string[], options: object = {}): Promise<void> {
  const compilerOptions = { ...strict, ...options };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const own = join(folder, 'node_modules/.bin/tsc');
  await shell(folder, existsSync(own) ? own : 'tsc', '-p', '.');
}

const strict = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
};
