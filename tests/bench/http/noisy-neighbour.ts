import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chartRequest } from '../charts/http.ts';
import { ours } from './contenders.ts';
import { databaseUrl, onDatabase } from './database.ts';
import { startLoadGenerator } from './load.ts';
import type { LoadResult } from './load-process.ts';
import { integer, latencies, table } from './markdown.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import { medianResult } from './rounds.ts';

const operations: readonly Operation[] = ['GET one', 'list of 100'];
const perSecond = 100;
const roundMs = 5000;
const rounds = 5;

/**
 * The latency of task requests at a constant rate: on an idle server, next to as many CPU-bound processes as there are
 * render processes, and while charts are rendered.
 */
export async function measureNoisyNeighbour(): Promise<string> {
  const subjects = await onDatabase(databaseUrl, findSubjects);
  const server = await ours.start({ DATABASE_URL: databaseUrl });
  // The clients that request charts have a low priority, because outside this bench they do not share the processor
  // with the server.
  const [tasks, charts] = [await startLoadGenerator(), await startLoadGenerator({ isLowPriority: true })];
  const { port } = server;
  const chart = {
    port,
    requests: [await chartRequest('bar')],
    connections: 4,
    rampUpMs: 500,
    ms: roundMs + 1000,
  };
  try {
    const rows = [];
    for (const operation of operations) {
      const requests = requestsOf(operation, subjects, ours);
      const measure = (): Promise<LoadResult> =>
        tasks.run({ port, requests, connections: 8, perSecond, rampUpMs: 1000, ms: roundMs });
      const idle: LoadResult[] = [];
      const cpuBound: LoadResult[] = [];
      const rendering: LoadResult[] = [];
      const chartResults: LoadResult[] = [];
      for (let round = 0; round < rounds; round++) {
        idle.push(await measure());
        cpuBound.push((await Promise.all([measure(), burnCpu(), burnCpu()]))[0]);
        const [taskResult, chartResult] = await Promise.all([measure(), charts.run(chart)]);
        rendering.push(taskResult);
        chartResults.push(chartResult);
      }
      const cells = [idle, cpuBound, rendering].map((results) => latencies(medianResult(results)));
      rows.push([operation, ...cells, integer(medianResult(chartResults).perSecond)]);
    }
    return table(
      [`${perSecond} requests/s`, 'idle', 'next to CPU-bound processes', 'next to charts', 'PNG charts/s'],
      rows,
    );
  } finally {
    tasks.stop();
    charts.stop();
    await server.stop();
  }
}

/** Runs a CPU-bound process for one round, at the priority of the render processes. */
async function burnCpu(): Promise<void> {
  const program = `require('node:os').setPriority(10); const end = Date.now() + ${roundMs + 1500}; while (Date.now() < end);`;
  await once(spawn(process.execPath, ['-e', program]), 'exit');
}
