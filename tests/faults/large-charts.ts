import { requestText } from './connection.ts';
import { startOverload } from './overload-process.ts';
import { memoryUsageOf, probeOptions } from './memory-usage.ts';
import { overBudget, quantile, type Result, type ScenarioRun } from './scenario.ts';
import { startServer } from './server-process.ts';
import { tokenFor } from '../support/tokens.ts';

const maxP99Ms = 250;
const maxResidentMb = 600;
const pointsCount = 10_000;

/** Measures another user's reads while clients continuously ask for the largest charts. */
export async function testLargeCharts({
  databases,
  isShort,
  reportProgress,
}: ScenarioRun): Promise<Result[]> {
  await using database = await databases.create('Postgres');
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, probeOptions);
  const reader = await tokenFor('reader');
  const created = await fetch(`${server.url}/api/tasks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${reader}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'Read me' }),
  });
  const { task } = (await created.json()) as { task: { id: string } };
  const charts = await tokenFor('charts');
  const data = Array.from({ length: pointsCount }, (_, i) => ({
    label: `point ${i}`,
    value: (i * 37) % 1000,
  }));
  const results: Result[] = [];
  for (const [format, chart_type] of [
    ['svg', 'bar'],
    ['svg', 'line'],
    ['png', 'line'],
  ] as const) {
    const chart = requestText('POST', `/api/v1/viz/render/${format}`, charts, { chart_type, data });
    for (const connections of isShort ? [100] : [8, 32, 100]) {
      using chartLoad = await startOverload();
      using readLoad = await startOverload();
      const ms = isShort ? 3000 : 6000;
      const pictures = chartLoad.send({ url: server.url, requests: [chart], connections, ms });
      const read = requestText('GET', `/api/tasks/${task.id}`, reader);
      const { responses } = await readLoad.send({
        url: server.url,
        requests: [read],
        connections: 4,
        rate: 50,
        ms,
      });
      const drawn = (await pictures).responses;
      const failed = [...responses, ...drawn].filter(({ status }) => status !== 200 && status !== 503);
      const times = responses.filter(({ status }) => status === 200).map((response) => response.ms);
      const { resident } = await memoryUsageOf(server);
      reportProgress(`${format}, ${chart_type}, ${connections} connections`);
      results.push({
        promise: `large charts: ${chart_type} as ${format}`,
        engine: 'Postgres',
        workload: `${connections} connections ask for charts of ${pointsCount} points; ${times.length} reads of another user`,
        lost: `${failed.length} failed`,
        recovery:
          `reads p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms; ` +
          `${drawn.filter(({ status }) => status === 200).length} charts; resident ${resident} MB`,
        target: `reads p99 under ${maxP99Ms} ms, resident memory under ${maxResidentMb} MB`,
        violations: failed.length === 0 ? [] : [`${failed.length} requests failed`],
        overBudget: [
          ...overBudget('p99 of the reads was', quantile(times, 0.99), maxP99Ms, 'ms'),
          ...overBudget('the resident memory was', resident, maxResidentMb, 'MB'),
        ],
      });
    }
  }
  return results;
}
