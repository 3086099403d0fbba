import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openInMemory } from '../../../../server/src/db/pglite/pglite.ts';
import { createFolder } from '../../../support/folder.ts';

it('a demo starts with an empty database if the saved file is not an archive', async () => {
  const dataDir = await createFolder();
  await writeFile(join(dataDir, 'demo-database.tar'), 'x'.repeat(10_000));

  const database = await openInMemory(dataDir);

  expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
  await database.close();
});
