import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from './browser.ts';
import { program, type ServerAddress } from './program.ts';
import { shell } from './shell.ts';
import { bundle } from './tarball.ts';

/** An empty project in which the tarball is installed, and the server that its program uses. */
interface Project {
  readonly folder: string;
  readonly server: ServerAddress;
  /** A page whose origin the server allows. */
  readonly page: Page;
}

/** Uses the package and resolves to the program's output: "used" if it succeeds. */
type Platform = (project: Project) => Promise<string>;

/** The platforms on which the package is used, each from an empty project. */
export const platforms: Readonly<Record<string, Platform>> = {
  'Node, ES module': ({ folder, server }) => runWith('node', folder, 'use.mjs', program(server)),
  'Node, CommonJS': ({ folder, server }) => runWith('node', folder, 'use.cjs', program(server, 'cjs')),
  'TypeScript, bundler resolution': async ({ folder, server }) => {
    const compilerOptions = {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    };
    await writeFile(join(folder, 'use.ts'), program(server).replace('(error)', '(error: unknown)'));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    await shell(folder, 'tsc', '-p', '.');
    return shell(folder, 'node', 'use.ts');
  },
  'Browser bundle in Chromium': async ({ folder, server, page }) => {
    await writeFile(join(folder, 'page.mjs'), program(server));
    return page.run(await bundle('./page.mjs', folder));
  },
  Deno: async ({ folder, server }) => {
    await shell(folder, 'npm', 'install', '--silent', 'deno@2.9.6');
    return runWith('node_modules/.bin/deno', folder, 'use.mjs', program(server), 'run', '--allow-net');
  },
  Bun: async ({ folder, server }) => {
    await shell(folder, 'npm', 'install', '--silent', 'bun@1.4.5');
    return runWith('node_modules/.bin/bun', folder, 'use.mjs', program(server));
  },
};

async function runWith(
  command: string,
  folder: string,
  file: string,
  text: string,
  ...args: string[]
): Promise<string> {
  await writeFile(join(folder, file), text);
  return shell(folder, command, ...args, file);
}

/** Creates an empty project and installs the tarball in it. */
export async function createProject(folder: string, tarball: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await shell(folder, 'npm', 'install', '--silent', tarball);
}
