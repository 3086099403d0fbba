import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shell } from './shell.ts';

const entries = ['@worktable/sdk', '@worktable/sdk/tasks', '@worktable/sdk/viz', '@worktable/sdk/agents'];

/** Builds a page for each entry point by Vite, and resolves to the sizes that Vite prints. */
export async function sizesByVite(folder: string): Promise<string> {
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
