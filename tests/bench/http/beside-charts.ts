import { inputs } from '../charts/inputs.ts';
import { ours } from './contenders.ts';
import { databaseUrl, onDatabase } from './database.ts';
import { startGenerator } from './load.ts';
import type { Outcome } from './load-process.ts';
import { ms, table, whole } from './markdown.ts';
import { findSubjects, postTo, requestsOf, user, type Operation } from './requests.ts';

const operations: readonly Operation[] = ['GET one', 'list of 100'];
const perSecond = 100;
const turnMs = 5000;

/** What task requests feel at a steady pace while nothing else goes on, and while charts are painted. */
export async function measureBesideCharts(): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const server = await ours.start({ DATABASE_URL: databaseUrl });
  const [tasks, charts] = [await startGenerator(), await startGenerator()];
  const { port } = server;
  const chart = { port, requests: [await chartRequest()], connections: 4, leadMs: 500, ms: turnMs };
  try {
    const rows = [];
    for (const operation of operations) {
      const requests = requestsOf(operation, subjects, ours);
      const steady = { port, requests, connections: 8, perSecond, leadMs: 1000, ms: turnMs };
      const alone = await tasks.run(steady);
      const [painted, beside] = await Promise.all([
        charts.run({ ...chart, ms: turnMs + 1000 }),
        tasks.run(steady),
      ]);
      rows.push([operation, told(alone), told(beside), whole(painted.perSecond)]);
    }
    return table([`${perSecond} a second`, 'alone', 'beside charts', 'PNG charts a second'], rows);
  } finally {
    tasks.stop();
    charts.stop();
    await server.stop();
  }
}

function told({ p50Ms, p99Ms, errors }: Outcome): string {
  return `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}${errors === 0 ? '' : `, ${errors} ERRORS`}`;
}

async function chartRequest(): Promise<string> {
  const { title, labels, values } = inputs.bar;
  const data = labels.map((label, i) => ({ label, value: values[i] }));
  return postTo('/api/v1/viz/render/png', await user('charts'), { chart_type: 'bar', title, data });
}
