import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chartRequest } from '../charts/http.ts';
import { ours } from './contenders.ts';
import { databaseUrl, onDatabase } from './database.ts';
import { startGenerator } from './load.ts';
import type { Outcome } from './load-process.ts';
import { latencies, table, whole } from './markdown.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import { middleOutcome } from './turns.ts';

const operations: readonly Operation[] = ['GET one', 'list of 100'];
const perSecond = 100;
const turnMs = 5000;
const rounds = 5;

/**
 * What task requests feel at a steady pace while nothing else goes on, while as many processes as there are painters only
 * compute, and while charts are painted.
 */
export async function measureBesideCharts(): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const server = await ours.start({ DATABASE_URL: databaseUrl });
  // Who wants charts would not take the processor from the server but for this bench.
  const [tasks, charts] = [await startGenerator(), await startGenerator({ givesWay: true })];
  const { port } = server;
  const chart = {
    port,
    requests: [await chartRequest('bar')],
    connections: 4,
    leadMs: 500,
    ms: turnMs + 1000,
  };
  try {
    const rows = [];
    for (const operation of operations) {
      const requests = requestsOf(operation, subjects, ours);
      const feel = (): Promise<Outcome> =>
        tasks.run({ port, requests, connections: 8, perSecond, leadMs: 1000, ms: turnMs });
      const alone: Outcome[] = [];
      const computing: Outcome[] = [];
      const beside: Outcome[] = [];
      const painted: Outcome[] = [];
      for (let round = 0; round < rounds; round++) {
        alone.push(await feel());
        computing.push((await Promise.all([feel(), compute(), compute()]))[0]);
        const [felt, charted] = await Promise.all([feel(), charts.run(chart)]);
        beside.push(felt);
        painted.push(charted);
      }
      const felt = [alone, computing, beside].map((turns) => latencies(middleOutcome(turns)));
      rows.push([operation, ...felt, whole(middleOutcome(painted).perSecond)]);
    }
    return table(
      [`${perSecond} a second`, 'alone', 'beside computing', 'beside charts', 'PNG charts a second'],
      rows,
    );
  } finally {
    tasks.stop();
    charts.stop();
    await server.stop();
  }
}

/** Takes what processor time others leave for as long as a turn lasts, at the priority of painters. */
async function compute(): Promise<void> {
  const program = `require('node:os').setPriority(10); const end = Date.now() + ${turnMs + 1500}; while (Date.now() < end);`;
  await once(spawn(process.execPath, ['-e', program]), 'exit');
}
