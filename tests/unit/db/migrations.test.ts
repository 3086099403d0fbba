import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { serverMigrations } from '../../../server/src/db/migrate.ts';

it('each file of the folder of migrations is in the list, in the order of its number', () => {
  const files = readdirSync(join(import.meta.dirname, '../../../server/src/db/migrations'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace('.ts', ''));

  expect(Object.keys(serverMigrations)).toEqual(files.sort());
  // Two branches may have taken the same number.
  expect(files.map((file) => Number(file.slice(0, 3)))).toEqual(files.map((_, i) => i + 1));
});
