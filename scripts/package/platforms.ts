import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInPage } from './browser.ts';
import { drawInNode, drawInPage } from './charts.ts';
import { walkThroughExample } from './example.ts';
import { importByPostman, lintBySpectral, useGenerators } from './generators.ts';
import { compile, program, type ServerAddress } from './program.ts';
import { runRecipes } from './recipes.ts';
import { shell } from './shell.ts';

/** An empty project with the SDK installed, the tarballs of charts and SDK, and the server that its program uses. */
interface Project {
  readonly folder: string;
  readonly charts: string;
  readonly sdk: string;
  readonly server: ServerAddress;
}

/** Uses the package, and resolves to the output of the program: "used" if it succeeds. */
type Platform = (project: Project) => Promise<string>;

/** The platforms. Each uses the package in an empty project of its own. */
export const platforms: Readonly<Record<string, Platform>> = {
  // Comes first: it drags a card, which the tasks of other platforms would push out of its window.
  'The example in Chromium': ({ folder, sdk, server }) => walkThroughExample(folder, sdk, server),
  'Node, ES module': ({ folder, server }) => runWith('node', folder, 'use.mjs', program(server)),
  'Node, CommonJS': ({ folder, server }) => runWith('node', folder, 'use.cjs', program(server, 'cjs')),
  'Node 22': async ({ folder, server }) => {
    await shell(folder, 'npm', 'install', '--silent', 'node@22.23.3');
    return runWith('node_modules/.bin/node', folder, 'use.mjs', program(server));
  },
  'TypeScript 5.4': ({ folder, server }) => useTypeScript('5.4.5', folder, server),
  'TypeScript 5.9': ({ folder, server }) => useTypeScript('5.9.3', folder, server),
  'TypeScript 6.0': ({ folder, server }) => useTypeScript('6.0.3', folder, server),
  'TypeScript 7.0': ({ folder, server }) => useTypeScript('7.0.2', folder, server),
  'The recipes': ({ folder, server }) => runRecipes(folder, server),
  'The contract, by Spectral': ({ folder }) => lintBySpectral(folder),
  'The contract, by Postman': ({ folder }) => importByPostman(folder),
  ...useGenerators,
  'Browser bundle in Chromium': ({ folder, server }) => runInPage(folder, program(server)),
  'Charts in Node': async ({ folder, charts }) => {
    await shell(folder, 'npm', 'install', '--silent', charts);
    return runWith('node', folder, 'use.mjs', drawInNode);
  },
  'Charts in Chromium': async ({ folder, charts }) => {
    await shell(folder, 'npm', 'install', '--silent', '--ignore-scripts', charts);
    return runInPage(folder, drawInPage);
  },
  'Vite, which prints': async ({ folder }) => `${await sizesByVite(folder)} used`,
  Deno: async ({ folder, server }) => {
    await shell(folder, 'npm', 'install', '--silent', 'deno@2.9.6');
    return runWith('node_modules/.bin/deno', folder, 'use.mjs', program(server), 'run', '--allow-net');
  },
  Bun: async ({ folder, server }) => {
    await shell(folder, 'npm', 'install', '--silent', 'bun@1.4.5');
    return runWith('node_modules/.bin/bun', folder, 'use.mjs', program(server));
  },
};

const entries = ['@worktable/sdk', '@worktable/sdk/tasks', '@worktable/sdk/viz', '@worktable/sdk/agents'];

/** Builds a page for each entry point with Vite. Resolves to the sizes that Vite prints. */
async function sizesByVite(folder: string): Promise<string> {
  await shell(folder, 'npm', 'install', '--silent', 'vite@8.3.8');
  await writeFile(join(folder, 'index.html'), '<script type="module" src="/page.mjs"></script>');
  const sizes: string[] = [];
  for (const entry of entries) {
    const client = "createClient({ baseUrl: '/', token: 'token' })";
    const program = `import { createClient } from '${entry}';\nglobalThis.client = ${client};\n`;
    await writeFile(join(folder, 'page.mjs'), program);
    const output = await shell(folder, 'node_modules/.bin/vite', 'build');
    const [, size] = /\.js .*gzip: *([\d.]+ kB)/.exec(output) ?? [];
    if (size === undefined) throw new Error(`Vite printed no size of ${entry}:\n${output}`);
    sizes.push(`${entry} ${size}`);
  }
  return sizes.join(', ');
}

/** Compiles the program with this version of TypeScript, resolving modules as bundlers do, and runs it. */
async function useTypeScript(version: string, folder: string, server: ServerAddress): Promise<string> {
  await shell(folder, 'npm', 'install', '--silent', `typescript@${version}`);
  await writeFile(join(folder, 'use.ts'), program(server).replace('(error)', '(error: unknown)'));
  await compile(folder, ['use.ts']);
  return shell(folder, 'node', 'use.ts');
}

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

/** Creates an empty project and installs the tarballs. */
export async function createProject(folder: string, ...tarballs: string[]): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await shell(folder, 'npm', 'install', '--silent', ...tarballs);
}
