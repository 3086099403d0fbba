import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { ClientBase } from 'pg';

/** The name under which a connection keeps a statement; undefined for a statement that is not kept. */
type NameStatement = (client: ClientBase, text: string, values: readonly unknown[]) => string | undefined;

// Lists have many texts: one for each set of filters. A prepared statement takes memory in each connection's backend.
const statementsMax = 256;

// An INSERT has a different text for each number of rows. One with 4,000 parameters takes half a megabyte.
const parametersMax = 100;

/**
 * Names statements of few parameters, so that Postgres parses and plans a text once per connection. Each connection keeps
 * the statements that it used most recently and closes the others.
 */
export function createStatementNames(): NameStatement {
  const namesOfConnections = new WeakMap<ClientBase, LRUCache<string, string>>();
  return (client, text, values) => {
    if (values.length > parametersMax) return undefined;
    const names = namesOfConnections.get(client) ?? createNames(client);
    namesOfConnections.set(client, names);
    const known = names.get(text);
    if (known !== undefined) return known;
    // A hash rather than a number: behind a pooler, several clients can share a connection with the names that it has.
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 32);
    names.set(text, name);
    return name;
  };
}

function createNames(client: ClientBase): LRUCache<string, string> {
  return new LRUCache({
    max: statementsMax,
    dispose: (name) => {
      closeStatement(client, name);
    },
  });
}

/** The parts of the driver's connection that its types lack. */
interface Connection {
  close(message: { readonly type: 'S'; readonly name: string }): void;
  /** The statements that the driver does not prepare again, by their names. */
  readonly parsedStatements: Record<string, string>;
}

/** Sends Close before the next statement. Postgres replies with CloseComplete, which the driver ignores. */
function closeStatement(client: ClientBase, name: string): void {
  const { connection } = client as unknown as { readonly connection: Connection };
  connection.close({ type: 'S', name });
  Reflect.deleteProperty(connection.parsedStatements, name);
}
