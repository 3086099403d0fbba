import { startLoadGenerator } from '../http/load.ts';
import { postTo, user } from '../http/requests.ts';
import { startOurs, startPeer, type RunningServer } from '../http/servers.ts';
import { medianRound, ratio, runRounds, type RoundResult } from '../http/rounds.ts';
import { inputs, type Input } from './inputs.ts';

const kinds: readonly Input['kind'][] = ['bar', 'line', 'pie'];
const roundOptions = { rounds: 5, roundMs: 3000, warmUpMs: 1000, rampUpMs: 300, connections: 8 };

/** PNG over HTTP compared with Koa and chartjs-node-canvas, in one process and in two. */
export async function measureHttp(): Promise<string> {
  const servers: RunningServer[] = [];
  const generator = await startLoadGenerator();
  try {
    servers.push(await startOurs({ LOG_LEVEL: 'silent' }));
    for (const processes of ['1', '2']) servers.push(await startPeer('koa-charts', [processes], {}));
    const lines = [`PNG over HTTP, pictures/s (medians of ${roundOptions.rounds} rounds; 8 connections):`];
    for (const kind of kinds) {
      const requests = [await chartRequest(kind)];
      const entries = servers.map((server) => ({ server, requests }));
      lines.push(resultLine(kind, await runRounds(entries, generator, roundOptions)));
    }
    return [...lines, ''].join('\n');
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
  }
}

function resultLine(kind: Input['kind'], [ours = [], one = [], two = []]: readonly RoundResult[][]): string {
  const [rate, rateOfOne, rateOfTwo] = [ours, one, two].map((rounds) => {
    const { perSecond, errors } = medianRound(rounds);
    return `${perSecond.toFixed(0)}${errors === 0 ? '' : ` with ${errors} ERRORS`}`;
  });
  return (
    `  ${kind.padEnd(5)} worktable ${rate}, Koa and chartjs-node-canvas ${rateOfOne} (${ratio(ours, one).toFixed(1)}×), ` +
    `in two processes ${rateOfTwo} (${ratio(ours, two).toFixed(1)}×); target 6×`
  );
}

/** The text of a request for a picture. */
export async function chartRequest(kind: Input['kind']): Promise<string> {
  const { title, labels, values } = inputs[kind];
  const data = labels.map((label, i) => ({ label, value: values[i] }));
  return postTo('/api/v1/viz/render/png', await user('charts'), { chart_type: kind, title, data });
}
