import { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import pg from 'pg';
import { connectionProblem, contentionProblem, hasStalePlan } from '../errors.ts';
import { isQueryTimeout, type RunQuery } from './query-runner.ts';

/** Sends a statement without waiting for the results of the statements before it. */
export interface Pipeline {
  readonly query: <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>;
  readonly close: () => Promise<void>;
}

interface PipelineOptions {
  readonly options: pg.ClientConfig;
  readonly runQuery: RunQuery;
  readonly onBrokenConnection: (error: Error) => void;
  readonly onOpen: (client: pg.Client) => void;
  readonly isOutdated: (client: pg.Client) => boolean;
}

/**
 * One connection for statements of many requests (PostgreSQL's protocol, section "Pipelining"): a statement waits
 * neither for a connection of the pool nor for a round trip, and the statements of one turn of the event loop are
 * written together. Results come in the order of the statements (head-of-line blocking), so the pipeline is only for
 * statements that are quick and wait for no lock. The first statement opens the connection, and so does the first one
 * after the connection broke; the statements that were in flight fail.
 */
export function openPipeline(options: PipelineOptions): Pipeline {
  let current: Promise<pg.Client> | undefined;
  // A newer connection may have taken its place already.
  const remove = (connection: Promise<pg.Client>): void => {
    if (current === connection) current = undefined;
  };
  const open = (): Promise<pg.Client> => {
    const connection = connect(options, () => {
      remove(connection);
    });
    return connection;
  };
  const replace = (connection: Promise<pg.Client>, client: pg.Client): void => {
    if (current !== connection) return;
    remove(connection);
    void client.end();
  };
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => {
      let connection = (current ??= open());
      let client = await connection;
      while (options.isOutdated(client)) {
        replace(connection, client);
        client = await (connection = current ??= open());
      }
      try {
        return await runPipelined<Row>(client, options.runQuery, text, values);
      } catch (error) {
        if (isQueryTimeout(error)) {
          remove(connection);
          // `client.end()` waits for pending results that may never arrive.
          client.connection.stream.destroy();
        } else if (hasStalePlan(error)) replace(connection, client);
        throw error;
      }
    },
    close: async () => {
      const client = await current?.catch(() => undefined);
      // Not awaited, like the pool's connections: a Postgres that does not answer never closes its side.
      void client?.end();
    },
  };
}

/**
 * Sends a statement behind those in flight. If its result is late although the connection has delivered others, a
 * statement before it waits for a lock: the connection works, and nothing was done.
 */
async function runPipelined<Row extends pg.QueryResultRow>(
  client: pg.Client,
  runQuery: RunQuery,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { stream } = client.connection;
  const bytesReadBefore = bytesReadFrom(stream);
  corkUntilNextTurn(stream);
  try {
    const { rows } = await runQuery<Row>(client, text, values);
    return rows;
  } catch (error) {
    const isBehindLock = isQueryTimeout(error) && bytesReadFrom(stream) > bytesReadBefore;
    throw isBehindLock ? contentionProblem(error) : error;
  }
}

/** The driver's connection is a socket, with or without TLS. */
function bytesReadFrom(stream: Duplex): number {
  return stream instanceof Socket ? stream.bytesRead : 0;
}

async function connect(
  { options, onBrokenConnection, onOpen }: PipelineOptions,
  onEnd: () => void,
): Promise<pg.Client> {
  const client = new pg.Client({ ...options, pipeline: true });
  client.on('error', onBrokenConnection);
  client.on('end', onEnd);
  onOpen(client);
  try {
    return await client.connect();
  } catch (error) {
    onEnd();
    throw connectionProblem(error);
  }
}

/** Buffers what is written to a stream until the end of this turn of the event loop: each system call is expensive. */
function corkUntilNextTurn(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => {
    stream.uncork();
  });
}
