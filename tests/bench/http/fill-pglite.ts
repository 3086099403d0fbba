/** Copies the tasks of a Postgres database into a data folder: `fill-pglite.ts FOLDER URL`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { onDatabase } from './database.ts';

const [folder = '', url = ''] = process.argv.slice(2);
const rows = await onDatabase(url, async (client) => {
  const { rows } = await client.query<{ json: string }>('select json_agg(tasks)::text as json from tasks');
  return rows[0]?.json ?? '[]';
});
const pglite = await PGlite.create(join(folder, 'database'));
await pglite.query('insert into tasks select * from json_populate_recordset(null::tasks, $1::json)', [rows]);
await pglite.exec(await readFile(new URL('seed-derived.sql', import.meta.url), 'utf8'));
await pglite.exec('vacuum analyze');
await pglite.close();
