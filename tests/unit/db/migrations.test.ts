import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assertNumbered, serverMigrations } from '../../../server/src/db/migrate.ts';

it('each file of the folder of migrations is in the list, in the order of its number', () => {
  const files = readdirSync(join(import.meta.dirname, '../../../server/src/db/migrations'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace('.ts', ''));

  expect(Object.keys(serverMigrations)).toEqual(files.sort());
});

it.each([
  [['001-tables', '001-others'], 'The migration 001-others must have the number 002.'],
  [['001-tables', '003-others'], 'The migration 003-others must have the number 002.'],
  [['002-others', '001-tables'], 'The migration 002-others must have the number 001.'],
  [['1-tables'], 'The migration 1-tables must have the number 001.'],
])('a number that is taken twice, left out or out of order is reported: %s', (names, message) => {
  expect(() => {
    assertNumbered(names);
  }).toThrow(message);
});
