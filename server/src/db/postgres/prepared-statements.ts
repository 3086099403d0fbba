import { createHash } from 'node:crypto';
import { sql } from 'kysely';

/** The name under which Postgres keeps a statement; undefined for one that is not kept. */
export type NameOf = (text: string) => string | undefined;

const mark = '/* varying */ ';

/** Begins statements whose text follows from what a caller asked for, so that there are very many of them. */
export const dynamic = sql.raw(mark);

/**
 * Names for statements, so that Postgres parses and plans each text once per connection. Prepared statements live as
 * long as their connection, so only so many varying ones have a name: those that came first.
 */
export function createStatementNames(): NameOf {
  const names = new Map<string, string>();
  let varyingLeft = 300;
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (text.startsWith(mark) && varyingLeft-- <= 0) return undefined;
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    names.set(text, name);
    return name;
  };
}
