import { createHash } from 'node:crypto';

/** The name under which a connection keeps a statement; undefined for a statement that is not kept. */
type NameStatement = (text: string, values: readonly unknown[]) => string | undefined;

// Lists have many texts: one for each set of filters. A prepared statement takes memory in each connection's backend.
const statementsMax = 256;

// An INSERT has a different text for each number of rows. One with 4,000 parameters takes half a megabyte.
const parametersMax = 100;

/**
 * Names the first texts with few parameters, so that Postgres parses and plans each of them once per connection. Later texts
 * have no name.
 */
export function createStatementNames(): NameStatement {
  const names = new Map<string, string>();
  return (text, values) => {
    const existing = names.get(text);
    if (existing !== undefined) return existing;
    if (values.length > parametersMax || names.size >= statementsMax) return undefined;
    // The name is a hash rather than a number, because behind a pooler several clients can share a connection and the
    // names on it.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    names.set(text, name);
    return name;
  };
}
