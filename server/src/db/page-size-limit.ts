import { sql, type RawBuilder } from 'kysely';

/** To bound the memory of a response, a page ends with the entry that reaches this size. */
const pageBytesMax = 8 * 2 ** 20;

/** JSON writes a control character, one byte of text, as six bytes. */
const escapedBytes = 6;

export interface PageQuery {
  /** A query for the entries, with the columns of the order. */
  readonly entries: RawBuilder<unknown>;
  /** The columns of the result. The column `found`, the number of entries before the limit, is added. */
  readonly columns: readonly string[];
  /** The columns whose values can be long. */
  readonly texts: readonly string[];
  readonly order: RawBuilder<unknown>;
  /** A query for the total number of entries, which becomes the column `count`. */
  readonly total?: RawBuilder<unknown>;
  /** The limit of bytes of long text, instead of `pageBytesMax`. */
  readonly bytesMax?: number;
}

/** A query for the first entries of a page: as many as fit into its bytes, and at least one. */
export function limitPageBytes({
  entries,
  columns,
  texts,
  order,
  total,
  bytesMax = pageBytesMax,
}: PageQuery): RawBuilder<unknown> {
  // Postgres knows the length of a text without detoasting it, so entries that are left out are not read.
  const bytes = sql.join(
    texts.map((name) => sql`coalesce(octet_length(${sql.ref(name)}::text), 0)`),
    sql` + `,
  );
  const selected = sql.join(columns.map((name) => sql.ref(name)));
  const page = sql`(
    select *, (count(*) over ())::int as found,
      coalesce(sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding), 0)
        as bytes_before
    from (${entries}) entries
  ) page`;
  // Without entries, the join still has one row with the count.
  return total === undefined
    ? sql`select ${selected}, found from ${page} where bytes_before < ${bytesMax} order by ${order}`
    : sql`
      select ${selected}, found, count
      from (select (${total}) as count) total left join ${page} on bytes_before < ${bytesMax}
      order by ${order}`;
}

/** The first rows, up to `pageBytesMax` bytes of JSON. The query has limited only the bytes of long texts. */
export function withinJsonBytes<Row extends object>(rows: Row[]): Row[] {
  let textLength = 0;
  for (const row of rows)
    for (const value of Object.values(row) as unknown[])
      if (typeof value === 'string') textLength += value.length;
  if (textLength * escapedBytes < pageBytesMax) return rows;
  let bytes = 0;
  const end = rows.findIndex((row) => {
    if (bytes >= pageBytesMax) return true;
    bytes += Buffer.byteLength(JSON.stringify(row));
    return false;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
