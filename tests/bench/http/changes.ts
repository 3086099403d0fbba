import { setTimeout as sleep } from 'node:timers/promises';
import { openChangeStream, type ChangeStream } from '../../support/change-stream.ts';
import { ours } from './contenders.ts';
import { cleanUp, databaseUrl, onDatabase } from './database.ts';
import { startLoadGenerator } from './load.ts';
import { integer, ms, table } from './markdown.ts';
import { cpuMsOf, residentMbOf } from './process-stats.ts';
import { findSubjects, get, requestsOf, user, type User } from './requests.ts';
import { quantileOf } from '../median.ts';
import type { RunningServer } from './servers.ts';

const streams = 1000;
const followers = 50;
const idleMs = 10_000;
const probes = 100;

/** What open streams of changes cost a server, and how long after its commit a change arrives. */
export async function measureChanges(): Promise<string> {
  const server = await ours.start({ DATABASE_URL: databaseUrl });
  const generator = await startLoadGenerator();
  const users = await Promise.all(Array.from({ length: followers }, (_, i) => user(`follower-${i}`)));
  const opened: ChangeStream[] = [];
  try {
    // The first reads are sent before the measurement, because any request takes some memory.
    const reads = users.map((follower) => get(follower, '/api/changes?after=now'));
    await generator.run({ port: server.port, requests: reads, connections: 32, rampUpMs: 0, ms: 3000 });
    const [idleMb, idleCpu] = [residentMbOf(server.pid), await cpuPercent(server)];
    for (let i = 0; i < streams; i += 1) opened.push(await follow(server, users[i % followers]));
    const cost = [
      [`no stream`, `${integer(idleMb)} MB`, `${idleCpu.toFixed(1)} %`],
      [
        `${integer(streams)} streams`,
        `${integer(residentMbOf(server.pid))} MB`,
        `${(await cpuPercent(server)).toFixed(1)} %`,
      ],
    ];
    const quiet = await delays(server, users[0]);
    const requests = requestsOf('mixed', await onDatabase(databaseUrl, findSubjects), ours);
    const load = { port: server.port, requests, connections: 32, rampUpMs: 500, ms: probes * 200 };
    const [busy, { perSecond }] = await Promise.all([delays(server, users[0]), generator.run(load)]);
    return [
      table(['', 'resident memory', 'of one core while idle'], cost),
      table(
        ['from the response of a POST to its event', 'p50', 'p99'],
        [
          ['idle', ...cellsOf(quiet)],
          [`mixed load of ${integer(perSecond)} requests/s`, ...cellsOf(busy)],
        ],
      ),
    ].join('\n');
  } finally {
    for (const stream of opened) stream.close();
    generator.stop();
    await server.stop();
    await cleanUp(databaseUrl);
  }
}

function follow({ port }: RunningServer, follower: User | undefined): Promise<ChangeStream> {
  return openChangeStream({ url: `http://127.0.0.1:${port}` }, follower?.token ?? '', { after: 'now' });
}

/** The processor time of a server over some seconds, in percent of one core. */
async function cpuPercent({ pid }: RunningServer): Promise<number> {
  await sleep(1000);
  const before = cpuMsOf(pid);
  await sleep(idleMs);
  return ((cpuMsOf(pid) - before) / idleMs) * 100;
}

/** The times between the response that created a task and the event of it. */
async function delays(server: RunningServer, follower: User | undefined): Promise<number[]> {
  const stream = await follow(server, follower);
  const times: number[] = [];
  for (let probe = 0; probe < probes; probe += 1) {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/tasks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${follower?.token ?? ''}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: `Probe ${probe}` }),
    });
    await response.arrayBuffer();
    const startMs = performance.now();
    await stream.take(1);
    times.push(performance.now() - startMs);
    // Without a random pause, each probe would begin just after an event.
    await sleep(Math.random() * 100);
  }
  stream.close();
  return times;
}

function cellsOf(times: readonly number[]): string[] {
  return [ms(quantileOf(times, 0.5)), ms(quantileOf(times, 0.99))];
}
