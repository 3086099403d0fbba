/** Holds the code to the map of who may import whom, and pure files to being pure. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { complaintsAbout } from './import-rules.ts';

const root = join(import.meta.dirname, '..');
const files = globSync(['server/src/**/*.ts', 'sdk/src/**/*.ts'], { cwd: root }).filter(
  (file) => !file.includes('/generated/'),
);
const complaints = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return complaintsAbout({ file, text, imports: importsOf(file, text) });
});
if (files.length === 0) complaints.push('No source file was found.');
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

/** What a file imports: names of packages, and paths from the root of the repository. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name = '']) =>
    name.startsWith('.') ? relative('.', join(dirname(file), name)) : name,
  );
}
