/** Checks all source files against the rules of `import-rules.ts`. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { violations } from './import-rules.ts';

const root = join(import.meta.dirname, '..');
const files = globSync(['server/src/**/*.ts', 'sdk/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.includes('/generated/'),
);
const messages = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return violations({ file, text, imports: importsOf(file, text) });
});
if (files.length === 0) messages.push('No source file was found.');
if (messages.length > 0) {
  console.error(messages.join('\n'));
  process.exitCode = 1;
}

/** The imports of a file: package names, and paths from the root of the repository. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative('.', join(dirname(file), name)) : name,
  );
}
