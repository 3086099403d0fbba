import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { tokenFor } from '../support/tokens.ts';
import { requestText } from './connection.ts';
import { memoryUsageOf, probeArgs } from './memory-usage.ts';
import { overBudget, type Result, type ScenarioRun } from './scenario.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const maxResidentMb = 600;

interface UnreadKind {
  readonly name: string;
  readonly connections: number;
  /** Creates the rows that the requests read. Resolves to a function that returns the request of a connection. */
  readonly request: (server: ServerProcess) => Promise<(connection: number) => string>;
}

const kinds: readonly UnreadKind[] = [
  ...['/docs/swagger-ui.js', '/openapi.yaml', '/openapi.json'].map((path) => ({
    name: `500 first reads of ${path} without a token`,
    connections: 500,
    request: () => Promise.resolve(() => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`),
  })),
  {
    name: '60 streams of changes with large tasks of three callers',
    connections: 60,
    request: streamsOfChanges,
  },
];

/**
 * Sends requests at once to a new server with a small heap, and reads nothing of the responses. The server has to
 * survive and to answer another user.
 */
export async function testUnread({ databases, reportProgress }: ScenarioRun): Promise<Result[]> {
  const results: Result[] = [];
  for (const kind of kinds) {
    await using database = await databases.create('postgres');
    const nodeArgs = [...probeArgs, '--max-old-space-size=192'];
    await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, ...nodeArgs);
    results.push(await testKind(kind, server));
    reportProgress(kind.name);
  }
  return results;
}

async function testKind({ name, connections, request }: UnreadKind, server: ServerProcess): Promise<Result> {
  const requestOf = await request(server);
  const sockets = Array.from({ length: connections }, (_, i) => sendUnread(server.url, requestOf(i)));
  const victim = await server.clientFor('victim');
  const startMs = performance.now();
  const { status } = await victim.send('listTasks');
  const firstMs = performance.now() - startMs;
  await pause(1000);
  const { resident } = await memoryUsageOf(server);
  for (const socket of sockets) socket.destroy();
  return {
    promise: `unread: ${name}`,
    engine: 'postgres',
    workload: `${connections} connections that read nothing`,
    measured: `another user waited ${firstMs.toFixed(0)} ms; resident ${resident} MB`,
    // If the server has died, reading its memory above has thrown, and the scenario has failed.
    violations: status === 200 ? [] : [`another user got ${status}`],
    overBudget: overBudget('the resident memory was', resident, maxResidentMb, 'MB'),
  };
}

/** Creates tasks for each caller, whose JSON is six times as long as their texts. */
async function streamsOfChanges(server: ServerProcess): Promise<(connection: number) => string> {
  const users = ['mallory', 'trudy', 'eve'];
  const long = '\u0001'.repeat(65_536);
  for (const user of users) {
    const client = await server.clientFor(user);
    for (let n = 0; n < 30; n += 1)
      await client.ok('createTask', { body: { title: 'Large', description: long, metadata: long } });
  }
  const tokens = await Promise.all(users.map((user) => tokenFor(user)));
  return (connection) =>
    requestText('GET', '/api/changes?after=0&include=task', tokens[connection % users.length] ?? '').replace(
      '\r\n\r\n',
      '\r\nAccept: text/event-stream\r\n\r\n',
    );
}

function sendUnread(url: string, text: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(text);
  return socket;
}
