import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settings } from '../../server/src/config/settings.ts';

const source = join(import.meta.dirname, '../../server/src');
const keys = Object.values(settings).flatMap((group) => Object.keys(group));

/** The words of the code that may read settings. Excluded are the files that define them or replace their values. */
const words = new Set(
  globSync('**/*.ts', {
    cwd: source,
    exclude: ['config/{settings,demo}.ts', 'generated/**'],
  }).flatMap(
    (file) =>
      readFileSync(join(source, file), 'utf8')
        .replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
        .match(/\w+/g) ?? [],
  ),
);

it.each(keys)('the setting %s is read', (key) => {
  expect(words).toContain(key);
});
