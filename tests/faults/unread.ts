import { setTimeout as pause } from 'node:timers/promises';
import { sendAndLeaveUnread } from '../support/raw.ts';
import { memoryUsageOf, probeArgs } from './memory-usage.ts';
import { overBudget, type Result, type ScenarioRun } from './scenario.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const maxResidentMb = 600;
const connections = 500;

/**
 * Requests one page after the other, each on all connections at once and without a token, and reads none of the
 * responses. The server, which has a small heap, has to survive and to answer another user.
 */
export async function testUnread({ databases, reportProgress }: ScenarioRun): Promise<Result[]> {
  await using database = await databases.create('postgres');
  const nodeArgs = [...probeArgs, '--max-old-space-size=192'];
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, ...nodeArgs);
  const results: Result[] = [];
  for (const path of ['/docs/swagger-ui.js', '/openapi.yaml', '/openapi.json']) {
    results.push(await testPath(path, server));
    reportProgress(path);
  }
  return results;
}

async function testPath(path: string, server: ServerProcess): Promise<Result> {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const sending = Array.from({ length: connections }, () => sendAndLeaveUnread(server.url, request));
  const victim = await server.clientFor('victim');
  const startMs = performance.now();
  const { status } = await victim.send('listTasks');
  const firstMs = performance.now() - startMs;
  await pause(1000);
  const { resident } = await memoryUsageOf(server);
  for (const close of await Promise.all(sending)) close();
  return {
    promise: `unread: ${connections} first reads of ${path} without a token`,
    engine: 'postgres',
    workload: `${connections} connections that read nothing`,
    measured: `another user waited ${firstMs.toFixed(0)} ms; resident ${resident} MB`,
    // If the server has died, reading its memory above has thrown, and the scenario has failed.
    violations: status === 200 ? [] : [`another user got ${status}`],
    overBudget: overBudget('the resident memory was', resident, maxResidentMb, 'MB'),
  };
}
