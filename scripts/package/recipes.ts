import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile, withAddress, type ServerAddress } from './program.ts';
import { shell } from './shell.ts';
import { sdkFolder } from './tarball.ts';

/** The packages that the recipes need, in the versions that recipes.md names. */
const packages = [
  '@tanstack/db@0.15.2',
  '@tanstack/react-query@5.108.4',
  'react@19.3.1',
  'msw@2.15.0',
  '@opentelemetry/api@1.10.0',
];

/** Next.js declares this extension of `fetch`. */
const nextTypes = 'interface RequestInit { next?: { revalidate?: number | false; tags?: string[] } }\n';

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
  await writeFile(join(folder, 'next.d.ts'), nextTypes);
  await compile(folder, [...files, 'next.d.ts'], { resolveJsonModule: true, skipLibCheck: true });
  // The chat needs a page. tests/sdk/browser/chat.test.ts runs it.
  for (const file of files.filter((name) => !name.endsWith('-in-a-page.ts')))
    await shell(folder, 'node', file);
  return files.length > 0 ? 'used' : 'recipes.md has no recipe.';
}
