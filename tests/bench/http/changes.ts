import { setTimeout as sleep } from 'node:timers/promises';
import { startOverload } from '../../faults/overload-process.ts';
import { openChangeStream, type ChangeStream } from '../../support/change-stream.ts';
import { integer, ms, table } from '../markdown.ts';
import { quantileOf } from '../rounds.ts';
import { databaseUrl } from './database.ts';
import { cpuMsOf, residentMbOf } from './process-stats.ts';
import { get, user, type User } from './requests.ts';
import { startOurs, type RunningServer } from './servers.ts';

const streams = 1000;
const followers = 50;
const idleMs = 10_000;
const probes = 100;

/** Measures what open change streams cost a server, and the time from the commit of a change to its arrival. */
export async function measureChanges(): Promise<string> {
  await using server = await startOurs({ DATABASE_URL: databaseUrl });
  using load = await startOverload();
  const [first = await user('follower-0'), ...others] = await Promise.all(
    Array.from({ length: followers }, (_, i) => user(`follower-${i}`)),
  );
  const users = [first, ...others];
  const opened: ChangeStream[] = [];
  // Any request takes some memory, so the first reads are sent before the measurement.
  const requests = users.map((follower) => get(follower, '/api/changes?after=now'));
  await load.send({ url: `http://127.0.0.1:${server.port}`, requests, connections: 32, ms: 3000 });
  const costs = [['no stream', ...(await idleCost(server))]];
  for (let i = 0; i < streams; i += 1) opened.push(await follow(server, users[i % followers] ?? first));
  costs.push([`${integer(streams)} streams`, ...(await idleCost(server))]);
  const times = await delays(server, await user('listener'));
  const cells = [0.5, 0.99].map((share) => ms(quantileOf(times, share)));
  for (const stream of opened) stream.close();
  return [
    table(['', 'resident memory', 'of one core while idle'], costs),
    table(['', 'p50', 'p99'], [['from the response of a POST to its event', ...cells]]),
  ].join('\n');
}

function follow({ port }: RunningServer, { token }: User): Promise<ChangeStream> {
  return openChangeStream({ url: `http://127.0.0.1:${port}` }, token, { after: 'now' });
}

/** The memory of a server, and its processor time over some seconds, in percent of one core. */
async function idleCost({ pid }: RunningServer): Promise<string[]> {
  await sleep(1000);
  const before = cpuMsOf(pid);
  await sleep(idleMs);
  const percent = ((cpuMsOf(pid) - before) / idleMs) * 100;
  return [`${integer(residentMbOf(pid))} MB`, `${percent.toFixed(1)} %`];
}

/** The times from the response that created a task to its event. */
async function delays(server: RunningServer, follower: User): Promise<number[]> {
  const stream = await follow(server, follower);
  const times: number[] = [];
  for (let probe = 0; probe < probes; probe += 1) {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/tasks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${follower.token}`, 'Content-Type': 'application/json' },
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
