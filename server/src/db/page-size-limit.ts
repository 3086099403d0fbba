import { sql, type RawBuilder } from 'kysely';
import type { Db } from './tables.ts';

/** A page ends with the entry that fills it to this many bytes of long text, so that none outgrows the memory. */
export const pageBytesMax = 8 * 2 ** 20;

interface Page {
  /** A query for the entries of the page, with the columns of the order. */
  readonly entries: RawBuilder<unknown>;
  /** The columns that the answer needs; `found` is the number of entries, kept or not. */
  readonly columns: readonly string[];
  /** Those of them that can be long. */
  readonly texts: readonly string[];
  readonly order: RawBuilder<unknown>;
}

interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** A query for as many entries of a page as its bytes allow, but at least one. */
export function limitPageBytes({ entries, columns, texts, order }: Page): RawBuilder<unknown> {
  // The length of a text is known without unpacking it, so what is left out is not even read.
  const bytes = sql.join(
    texts.map((name) => sql`coalesce(octet_length(${sql.ref(name)}::text), 0)`),
    sql` + `,
  );
  return sql`
    select ${sql.join(columns.map((name) => sql.ref(name)))}
    from (
      select *, (count(*) over ())::int as found,
        coalesce(sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding), 0)
          as bytes_before
      from (${entries}) entries
    ) page
    where bytes_before < ${pageBytesMax}
    order by ${order}`;
}

/** The same for a list that is not counted: one entry more than the page may hold tells whether there is a next page. */
export function pageOfList(list: Page, { limit, offset }: Paging): RawBuilder<unknown> {
  const entries = sql`
    select * from (${list.entries}) entries order by ${list.order} limit ${limit + 1} offset ${offset}`;
  return limitPageBytes({ ...list, entries, columns: [...list.columns, 'found'] });
}

/** The page that such a query found. */
export async function readPage<Row extends { readonly found: number }>(
  db: Db,
  query: RawBuilder<Row>,
  limit: number,
): Promise<{ entries: Omit<Row, 'found'>[]; hasNext: boolean }> {
  const { rows } = await query.execute(db);
  const entries = rows.slice(0, limit).map(({ found, ...entry }) => entry);
  return { entries, hasNext: (rows[0]?.found ?? 0) > entries.length };
}
