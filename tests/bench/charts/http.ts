import { startGenerator } from '../http/load.ts';
import { postTo, user } from '../http/requests.ts';
import { startOurs, startPeer, type RunningServer } from '../http/servers.ts';
import { middle, ratio, takeTurns, type Turn } from '../http/turns.ts';
import { inputs, type Input } from './inputs.ts';

const kinds: readonly Input['kind'][] = ['bar', 'line', 'pie'];
const pace = { rounds: 5, turnMs: 3000, warmUpMs: 1000, leadMs: 300, connections: 8 };

/** PNG through HTTP beside chartjs-node-canvas behind Koa, in one process and in one for each of two cores. */
export async function measureHttp(): Promise<string> {
  const servers: RunningServer[] = [];
  const generator = await startGenerator();
  try {
    servers.push(await startOurs({ LOG_LEVEL: 'silent' }));
    for (const processes of ['1', '2']) servers.push(await startPeer('koa-charts', [processes], {}));
    const lines = [`PNG through HTTP, pictures a second (medians of ${pace.rounds} turns; 8 connections):`];
    for (const kind of kinds) {
      const requests = [await chartRequest(kind)];
      const entries = servers.map((server) => ({ server, requests }));
      lines.push(told(kind, await takeTurns(entries, generator, pace)));
    }
    return [...lines, ''].join('\n');
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
  }
}

function told(kind: Input['kind'], [ours = [], one = [], two = []]: readonly Turn[][]): string {
  const [rate, rateOfOne, rateOfTwo] = [ours, one, two].map((turns) => {
    const { perSecond, errors } = middle(turns);
    return `${perSecond.toFixed(0)}${errors === 0 ? '' : ` with ${errors} ERRORS`}`;
  });
  return (
    `  ${kind.padEnd(5)} worktable ${rate}, Koa and chartjs-node-canvas ${rateOfOne} (${ratio(ours, one).toFixed(1)}×), ` +
    `in two processes ${rateOfTwo} (${ratio(ours, two).toFixed(1)}×); goal 6×`
  );
}

/** A whole request for a picture. */
export async function chartRequest(kind: Input['kind']): Promise<string> {
  const { title, labels, values } = inputs[kind];
  const data = labels.map((label, i) => ({ label, value: values[i] }));
  return postTo('/api/v1/viz/render/png', await user('charts'), { chart_type: kind, title, data });
}
