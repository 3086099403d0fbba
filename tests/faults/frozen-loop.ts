import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { overBudget, seconds, type Result, type ScenarioRun } from './scenario.ts';
import { startServer } from './server-process.ts';

const preload = join(import.meta.dirname, '../support/faults/frozen-loop.ts');
const maxEndMs = 75_000;

/** Blocks the event loop of a server forever. */
export async function testFrozenLoop({ databases }: ScenarioRun): Promise<Result[]> {
  await using database = await databases.create('postgres');
  await using server = await startServer(database.env, `--import=${preload}`);
  const frozenMs = performance.now();
  server.child.kill('SIGUSR2');
  const code = await Promise.race([server.exited, sleep(2 * maxEndMs, 'none', { ref: false })]);
  const endMs = performance.now() - frozenMs;
  const hasSentence = server.output().includes('its event loop stood still for a minute');
  const violations = [
    ...(code === null ? [] : [`the exit code is ${String(code)}`]),
    ...(hasSentence ? [] : ['the server printed no sentence']),
  ];
  return [
    {
      promise: 'a process whose event loop stands still ends with a sentence',
      engine: 'postgres',
      workload: 'a loop without end',
      measured: `the server ended after ${seconds(endMs)}`,
      violations,
      overBudget: overBudget('the server ended after', endMs, maxEndMs, 'ms'),
    },
  ];
}
