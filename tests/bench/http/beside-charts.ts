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

/** What task requests feel at a steady pace while nothing else goes on, and while charts are painted. */
export async function measureBesideCharts(): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const server = await ours.start({ DATABASE_URL: databaseUrl });
  // Who wants charts would not take the processor from the server but for this bench.
  const [tasks, charts] = [await startGenerator(), await startGenerator({ givesWay: true })];
  const { port } = server;
  const chart = { port, requests: [await chartRequest('bar')], connections: 4, leadMs: 500, ms: turnMs };
  try {
    const rows = [];
    for (const operation of operations) {
      const requests = requestsOf(operation, subjects, ours);
      const steady = { port, requests, connections: 8, perSecond, leadMs: 1000, ms: turnMs };
      const [alone, beside, painted]: [Outcome[], Outcome[], Outcome[]] = [[], [], []];
      for (let round = 0; round < rounds; round++) {
        alone.push(await tasks.run(steady));
        const [charted, felt] = await Promise.all([
          charts.run({ ...chart, ms: turnMs + 1000 }),
          tasks.run(steady),
        ]);
        painted.push(charted);
        beside.push(felt);
      }
      const rate = whole(middleOutcome(painted).perSecond);
      rows.push([operation, ...[alone, beside].map((turns) => latencies(middleOutcome(turns))), rate]);
    }
    return table([`${perSecond} a second`, 'alone', 'beside charts', 'PNG charts a second'], rows);
  } finally {
    tasks.stop();
    charts.stop();
    await server.stop();
  }
}
