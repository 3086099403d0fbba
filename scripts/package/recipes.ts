import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile, withAddress, type ServerAddress } from './program.ts';
import { shell } from './shell.ts';
import { sdkFolder } from './tarball.ts';

/** The packages that the recipes need. The versions must agree with recipes.md. */
const packages = ['@tanstack/react-db@0.5.11', '@tanstack/react-query@5.108.4', 'react@19.3.1', 'msw@2.15.0'];

/** Compiles and runs every recipe in the project. Resolves to "used" if all succeed. */
export async function runRecipes(folder: string, server: ServerAddress): Promise<string> {
  await shell(folder, 'npm', 'install', '--silent', '--no-audit', '--no-fund', ...packages);
  const recipes = [
    ...readFileSync(join(sdkFolder, 'recipes.md'), 'utf8').matchAll(/## (.*)\n[\s\S]*?```ts\n([\s\S]*?)```/g),
  ];
  const files = await Promise.all(
    recipes.map(async ([, title = '', code = '']) => {
      const file = `${title.toLowerCase().replaceAll(/\W+/g, '-')}.ts`;
      await writeFile(join(folder, file), withAddress(code, server));
      return file;
    }),
  );
  // The chat is only compiled here: it needs a page, and tests/sdk/browser/chat.test.ts runs it.
  await copyFile(join(sdkFolder, 'example/chat.ts'), join(folder, 'chat.ts'));
  await compile(folder, [...files, 'chat.ts'], { resolveJsonModule: true, skipLibCheck: true });
  for (const file of files) await shell(folder, 'node', file);
  return files.length > 0 ? 'used' : 'recipes.md has no recipe.';
}
