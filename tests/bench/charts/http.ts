import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tokenFor } from '../../support/tokens.ts';
import { startOurs } from '../http/servers.ts';
import { inputs, type Input } from './inputs.ts';
import { latencies, quantile, throughput, type Target } from './load.ts';

const kinds: readonly Input['kind'][] = ['bar', 'line', 'pie'];

/** PNG through HTTP beside chartjs-node-canvas behind Koa, and what tasks feel while charts are painted. */
export async function measureHttp(): Promise<string> {
  const server = await startOurs({ LOG_LEVEL: 'silent' });
  await sleep(1000);
  const url = `http://127.0.0.1:${server.port}`;
  try {
    return [...(await pngThroughput(url)), ...(await taskLatencies(url))].join('\n');
  } finally {
    await server.stop();
  }
}

interface Running {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

async function pngThroughput(url: string): Promise<string[]> {
  const peers = await Promise.all([startPeer(1), startPeer(2)]);
  const lines = ['PNG through HTTP, pictures a second (median of three turns; 8 connections):'];
  for (const kind of kinds) {
    const targets = [
      await chartTarget(url, kind),
      ...peers.map((peer) => ({ url: peer.url, body: bodyOf(kind), headers: {} })),
    ];
    const rates: number[][] = targets.map(() => []);
    for (let round = 0; round < 3; round++) {
      for (const [i, target] of targets.entries()) rates[i]?.push(await throughput(target, 3000));
    }
    const [ours = NaN, one = NaN, two = NaN] = rates.map((each) => quantile(each, 0.5));
    lines.push(
      `  ${kind.padEnd(5)} worktable ${ours.toFixed(0)}, Koa and chartjs-node-canvas ${one.toFixed(0)} ` +
        `(${(ours / one).toFixed(1)}×), in two processes ${two.toFixed(0)} (${(ours / two).toFixed(1)}×; goal 6×)`,
    );
  }
  for (const { stop } of peers) await stop();
  return [...lines, ''];
}

async function taskLatencies(url: string): Promise<string[]> {
  const tasks: Target = { url: `${url}/api/tasks`, headers: await authorization() };
  const charts = await chartTarget(url, 'bar');
  await latencies(tasks, 2000);
  const alone = await latencies(tasks, 6000);
  const painting = throughput(charts, 7000);
  await sleep(500);
  const beside = await latencies(tasks, 6000);
  const rate = await painting;
  const told = (times: readonly number[]): string =>
    `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`;
  return [
    'GET /api/tasks, 50 a second:',
    `  alone: ${told(alone)}`,
    `  while ${rate.toFixed(0)} charts a second are painted: ${told(beside)}`,
    '',
  ];
}

async function chartTarget(url: string, kind: Input['kind']): Promise<Target> {
  return { url: `${url}/api/v1/viz/render/png`, body: bodyOf(kind), headers: await authorization() };
}

function bodyOf(kind: Input['kind']): string {
  const { title, labels, values } = inputs[kind];
  return JSON.stringify({
    chart_type: kind,
    title,
    data: labels.map((label, i) => ({ label, value: values[i] })),
  });
}

async function authorization(): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${await tokenFor('bench')}` };
}

async function startPeer(processes: number): Promise<Running> {
  const program = fileURLToPath(new URL('../peers/koa-server.js', import.meta.url));
  const child = fork(program, [String(processes)], { execArgv: [] });
  const [port] = (await once(child, 'message')) as [number];
  await sleep(1000);
  const stop = (): Promise<void> =>
    ended(child, () => {
      child.disconnect();
    });
  return { url: `http://127.0.0.1:${port}/`, stop };
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  const exit = once(child, 'exit');
  end();
  await exit;
}
