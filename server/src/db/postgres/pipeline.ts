import { Socket } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import pg from 'pg';
import { Problem } from '../../errors.ts';
import { contended, databaseProblem, hasStalePlan } from '../errors.ts';
import { QueryTimeout, type RunQuery } from './query-runner.ts';
import type { Db } from '../tables.ts';

/** Sends a statement without waiting for the answers to those before it. */
export interface Pipeline {
  readonly query: <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => Promise<Row[]>;
  readonly close: () => Promise<void>;
}

interface PipelineParts {
  readonly options: pg.ClientConfig;
  readonly send: RunQuery;
  readonly onBrokenConnection: (error: Error) => void;
}

/**
 * One connection for statements of many requests (PostgreSQL's protocol, section "Pipelining"): it costs neither a turn
 * in the pool nor a wait for the network, and what comes in the same moment is sent in one go. Answers come in the order
 * of the statements, so it is only for those that are quick and wait for no lock. It is opened with the first statement,
 * and anew when it broke; what was under way on it fails.
 */
export function openPipeline(parts: PipelineParts): Pipeline {
  let opened: Promise<pg.Client> | undefined;
  // Others may have opened another one already.
  const forget = (connection: Promise<pg.Client>): void => {
    if (opened === connection) opened = undefined;
  };
  const open = (): Promise<pg.Client> => {
    const opening = connect(parts, () => {
      forget(opening);
    });
    return opening;
  };
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]) => {
      const connection = (opened ??= open());
      try {
        return await sendOn<Row>(await connection, parts.send, text, values);
      } catch (error) {
        if (error instanceof Problem) throw error;
        // `end` would wait for the answers to all that was sent, and none may come.
        if (error instanceof QueryTimeout) {
          forget(connection);
          void connection.then((client) => client.connection.stream.destroy());
        }
        if (hasStalePlan(error) && opened === connection) {
          forget(connection);
          void connection.then((client) => client.end());
        }
        throw databaseProblem(error);
      }
    },
    close: async () => {
      const client = await opened?.catch(() => undefined);
      await client?.end();
    },
  };
}

/**
 * Sends a statement behind those that are sent already. One that gets no answer in time although the connection has
 * delivered others waits behind a lock that one of them needs: the connection works, and nothing was done.
 */
async function sendOn<Row extends pg.QueryResultRow>(
  client: pg.Client,
  send: RunQuery,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { stream } = client.connection;
  const bytesReadBefore = bytesReadFrom(stream);
  sendTogether(stream);
  try {
    const { rows } = await send<Row>(client, text, values);
    return rows;
  } catch (error) {
    if (error instanceof QueryTimeout && bytesReadFrom(stream) > bytesReadBefore) throw contended(error);
    throw error;
  }
}

/** The driver's connection is a socket, with or without TLS. */
function bytesReadFrom(stream: Duplex): number {
  return stream instanceof Socket ? stream.bytesRead : 0;
}

async function connect(
  { options, onBrokenConnection }: PipelineParts,
  onEnd: () => void,
): Promise<pg.Client> {
  const client = new pg.Client({ ...options, pipeline: true });
  client.on('error', onBrokenConnection);
  client.on('end', onEnd);
  try {
    return await client.connect();
  } catch (error) {
    onEnd();
    throw error;
  }
}

/** Holds back what is written to a stream until the end of this turn of the event loop: to send costs the most. */
function sendTogether(stream: Writable): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => {
    stream.uncork();
  });
}

const pipelines = new WeakMap<Db, Pipeline>();

/** Gives a database a pipeline. Its transactions have none: what belongs to them goes their way. */
export function addPipeline(db: Db, pipeline: Pipeline): void {
  pipelines.set(db, pipeline);
}

export function pipelineOf(db: Db): Pipeline | undefined {
  return pipelines.get(db);
}
