import { createHash } from 'node:crypto';

/** The name of a prepared statement; undefined for a statement that is not prepared. */
type NameStatement = (text: string, values: readonly unknown[]) => string | undefined;

// Lists have a different text for each set of filters. A prepared statement takes memory in the backend of each
// connection.
const statementsMax = 256;

// An INSERT has a different text for each number of rows. With 4,000 parameters, the text takes half a megabyte.
const parametersMax = 100;

/**
 * Names the first texts that have few parameters, so that each connection parses and plans them only once. Further
 * texts get no name.
 */
export function createStatementNames(): NameStatement {
  const names = new Map<string, string>();
  return (text, values) => {
    const existing = names.get(text);
    if (existing !== undefined) return existing;
    if (values.length > parametersMax || names.size >= statementsMax) return undefined;
    // A hash instead of a number, because behind a pooler, several clients may share a connection and its names.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    names.set(text, name);
    return name;
  };
}
