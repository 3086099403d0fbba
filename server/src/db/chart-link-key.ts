import { sql } from 'kysely';
import type { Db } from './tables.ts';

/** The key that signs the addresses of charts. A migration has created it. */
export async function readChartLinkKey(db: Db): Promise<string> {
  const { rows } = await sql<{ secret: string }>`select secret from chart_link_key`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The table chart_link_key is empty. Restore its row from a backup.');
  return row.secret;
}

/** Gives a moved database the key of its source, so that addresses of charts stay valid. */
export async function copyChartLinkKey(source: Db, target: Db): Promise<void> {
  await sql`update chart_link_key set secret = ${await readChartLinkKey(source)}`.execute(target);
}
