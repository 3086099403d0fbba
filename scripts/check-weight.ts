/**
 * Compares the size of the repository with .ci/weight.json. The numbers there are never raised, so a new mechanism
 * replaces an old one. With --lower, writes the numbers that have become smaller and the numbers that are missing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { settings } from '../server/src/config/settings.ts';

interface Row {
  readonly name: string;
  readonly unit: 'lines' | 'words' | 'settings';
  readonly size: number;
}

const file = '.ci/weight.json';
const { lower = false } = parseArgs({ options: { lower: { type: 'boolean' } } }).values;
const limits = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>) : {};

// Only tracked files count, so that a working copy with other files has the numbers of a clean clone.
const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((path) => !path.includes('/generated/') && existsSync(path));

const rows: readonly Row[] = [
  { name: 'server/src without charts', unit: 'lines', size: linesOf(/^server\/src\/(?!viz\/).*\.ts$/) },
  { name: 'charts', unit: 'lines', size: linesOf(/^server\/(src\/viz|charts\/src)\/.*\.ts$/) },
  { name: 'sdk/src', unit: 'lines', size: linesOf(/^sdk\/src\/.*\.ts$/) },
  { name: 'scripts', unit: 'lines', size: linesOf(/^scripts\/.*\.(ts|sh)$/) },
  {
    name: 'tests',
    unit: 'lines',
    size: linesOf(/^(tests|server\/charts\/(bench|gallery|tests))\/.*\.[jt]s$/),
  },
  { name: 'Markdown', unit: 'words', size: count(/\.md$/, /\S+/g) },
  { name: 'settings', unit: 'settings', size: Object.values(settings).flatMap(Object.values).length },
];

const grown = rows.filter(({ name, size }) => size > (limits[name] ?? Infinity));
const shrunk = rows.filter(({ name, size }) => size < (limits[name] ?? Infinity));

if (lower) {
  const least = rows.map(({ name, size }) => [name, Math.min(size, limits[name] ?? Infinity)]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(least), null, 2)}\n`);
} else if (shrunk.length > 0) {
  console.log([...shrunk.map(sentence), 'To write this: npm run check:weight -- --lower'].join('\n'));
}
if (grown.length > 0) {
  const advice = `Remove as much as you add, in the same row: no number of ${file} may be raised.`;
  console.error([...grown.map(sentence), advice].join('\n'));
}
if (grown.length > 0 || (!lower && rows.some(({ name }) => limits[name] === undefined))) process.exitCode = 1;

function sentence({ name, unit, size }: Row): string {
  const limit = limits[name];
  if (limit === undefined) return `${name}: ${size} ${unit}, and no number in ${file} yet.`;
  return `${name}: ${size} ${unit}, ${Math.abs(size - limit)} ${size > limit ? 'more' : 'fewer'} than ${file} allows.`;
}

function linesOf(paths: RegExp): number {
  return count(paths, /\n/g);
}

/** How often the pattern matches in the files with these paths. */
function count(paths: RegExp, pattern: RegExp): number {
  const texts = files.filter((path) => paths.test(path)).map((path) => readFileSync(path, 'utf8'));
  return texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
}
