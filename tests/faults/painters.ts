import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId } from '../../server/src/operation.ts';
import { childrenOf } from '../support/children.ts';
import type { Client, Input } from '../support/client.ts';
import { attempt, type Attempt } from './attempt.ts';
import { quantile, type Finding, type Trial } from './finding.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const painters = 2;
const chart = { data: [{ label: 'a', value: 1 }], width: 1200, height: 900 };

/** Kills painter processes while charts and tasks are asked for. */
export async function tryPainters({ isShort, chance, databases, say }: Trial): Promise<Finding[]> {
  const kills = isShort ? 5 : 50;
  await using database = await databases.fresh('Postgres');
  await using server = await startServer({
    ...database.env,
    LOG_LEVEL: 'fatal',
    CHART_WORKERS: String(painters),
  });
  const client = await server.as('painted');
  let isOver = false;
  const sent = { renders: [] as Attempt[], others: [] as Attempt[] };
  const ask = (operation: OperationId, input: Input, into: Attempt[]): Promise<void> =>
    keepAsking(client, { operation, input, into, isOver: () => isOver });
  const load = [
    ...[1, 2, 3, 4].map(() => ask('renderPng', { body: chart }, sent.renders)),
    ask('renderPdf', { body: chart }, sent.renders),
    ask('renderSvg', { body: chart }, sent.others),
    ask('createTask', { body: { title: 'Beside' } }, sent.others),
    ask('listTasks', { query: { limit: 10 } }, sent.others),
  ];
  const replacements: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await sleep(chance.between(100, 500));
    replacements.push(await killOne(server, chance.between(0, painters - 1)));
  }
  isOver = true;
  await Promise.all(load);
  say(`${kills} kills`);
  const ended = server.child.exitCode === null ? [] : ['the server has ended'];
  return [finding({ ...sent, kills, replacements, ended })];
}

interface Endured {
  readonly kills: number;
  readonly renders: readonly Attempt[];
  readonly others: readonly Attempt[];
  readonly replacements: readonly number[];
  readonly ended: readonly string[];
}

function finding({ kills, renders, others, replacements, ended }: Endured): Finding {
  const failed = renders.filter((each) => !isOk(each));
  return {
    promise: 'painters killed under load',
    engine: 'Postgres',
    tried: `${kills} kills, ${renders.length} charts, ${others.length} other requests`,
    lost: `${failed.length} charts with RENDER_ERROR`,
    recovery: `a new process after ${quantile(replacements, 0.5).toFixed(0)} ms (median)`,
    figure: 'only the charts of the killed fail, with RENDER_ERROR',
    broken: [
      ...ended,
      ...failed.filter((each) => !isRenderError(each)).map((each) => `a chart was ${told(each)}`),
      ...others.filter((each) => !isOk(each)).map((each) => `a request beside it was ${told(each)}`),
      ...(failed.length > kills ? [`${failed.length} charts failed by ${kills} kills`] : []),
      ...(replacements.includes(Infinity) ? ['a painter was not replaced'] : []),
    ],
    beyond: [],
  };
}

/** Kills one painter, waits until there is another, and resolves to how long that took. */
async function killOne({ pid }: ServerProcess, index: number): Promise<number> {
  const before = await childrenOf(pid);
  const victim = before[index] ?? before[0];
  if (victim === undefined) return Infinity;
  process.kill(victim, 'SIGKILL');
  const startMs = performance.now();
  while (performance.now() - startMs < 20_000) {
    const now = await childrenOf(pid);
    if (now.length === painters && !now.includes(victim)) return performance.now() - startMs;
    await sleep(10);
  }
  return Infinity;
}

interface Asking {
  readonly operation: OperationId;
  readonly input: Input;
  readonly into: Attempt[];
  readonly isOver: () => boolean;
}

async function keepAsking(client: Client, { operation, input, into, isOver }: Asking): Promise<void> {
  while (!isOver()) {
    into.push(await attempt(client, operation, input));
    await sleep(5);
  }
}

function isOk(sent: Attempt): boolean {
  return sent.kind === 'answered' && sent.answer.status < 300;
}

function isRenderError(sent: Attempt): boolean {
  return sent.kind === 'answered' && sent.answer.status === 500 && told(sent).includes('RENDER_ERROR');
}

function told(sent: Attempt): string {
  return sent.kind === 'answered'
    ? `${sent.answer.status} ${JSON.stringify(sent.answer.body)}`
    : `${sent.kind} ${sent.reason}`;
}
