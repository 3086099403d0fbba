import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent, finishedSession, runAgent } from '../support/agents.ts';
import { attempt, type Attempt } from './attempt.ts';
import { checkLedger } from './check-ledger.ts';
import { engines, type Engine } from './databases.ts';
import { above, seconds, type Finding, type Trial } from './finding.ts';
import { newLedger, type Ledger } from './ledger.ts';
import { startSlowModel } from './model.ts';
import { startServer, type Ended, type ServerProcess } from './server-process.ts';
import { beginTask } from './slow-body.ts';
import { keepWriting } from './writers.ts';

const shutdownTimeoutMs = 10_000;

/** Tells the server to end in the middle of its work. */
export async function trySigterm(trial: Trial): Promise<Finding[]> {
  const findings: Finding[] = [];
  const tried: readonly Engine[] = trial.isShort ? ['Postgres'] : engines;
  for (const engine of tried) findings.push(await stopOften(trial, engine));
  return findings;
}

interface Stop {
  readonly ended: Ended;
  readonly attempts: readonly Attempt[];
  readonly broken: readonly string[];
  readonly runMs: number;
  /** Writes that happened though their connection was cut. */
  readonly happened: number;
}

async function stopOften(trial: Trial, engine: Engine): Promise<Finding> {
  const times = trial.isShort ? 1 : 10;
  const stops: Stop[] = [];
  await using database = await trial.databases.fresh(engine);
  for (let turn = 1; turn <= times; turn++) {
    stops.push(await stopOnce(trial, database.env, turn));
    trial.say(`${engine}: ${turn} of ${times}`);
  }
  const attempts = stops.flatMap((stop) => stop.attempts);
  const resets = attempts.filter(({ kind }) => kind === 'cut off').length;
  const happened = stops.reduce((sum, stop) => sum + stop.happened, 0);
  const slowest = Math.max(...stops.map(({ ended }) => ended.ms));
  return {
    promise: 'SIGTERM under load',
    engine,
    tried: `${times} stops, ${attempts.length} quick requests, ${times * 5} slow ones, ${times} runs in progress`,
    lost: `${happened} answers; ${resets} connections reset before the server took the request`,
    recovery: `exit after at most ${seconds(slowest)}, runs ended ${seconds(Math.max(...stops.map(({ runMs }) => runMs)))} after the next start`,
    figure: '0 resets in flight, exit 0 within the drain time, the run goes on',
    broken: stops.flatMap(({ broken }) => broken),
    beyond: [
      ...above('the exit took', slowest, shutdownTimeoutMs, 'ms'),
      // Which of them the server had taken, only their effects can tell; those without any are a race of TCP's own.
      ...above('connections that were reset:', resets, 0, 'in all'),
    ],
  };
}

async function stopOnce(trial: Trial, env: Readonly<Record<string, string>>, turn: number): Promise<Stop> {
  const ledger = newLedger();
  const user = `stopped ${turn}`;
  using model = await startSlowModel();
  const settings = { ...env, ...model.env, SHUTDOWN_TIMEOUT_MS: String(shutdownTimeoutMs) };
  const busy = await stopWhileBusy(trial, { settings, user, ledger, asked: model.asked(1) });
  model.wakeUp();
  await using next = await startServer(settings);
  const client = await next.as(user);
  const startMs = performance.now();
  // The server had begun with these, and then told nobody.
  const { broken: breaches, happened } = await checkLedger(client, ledger, [...ledger.tasks.keys()]);
  const broken = [...busy.broken, ...breaches];
  if (happened > 0) broken.push(`${happened} answers were lost`);
  const { run } = await finishedSession(client, 'stopped');
  const runMs = performance.now() - startMs;
  if (run?.status !== 'completed') broken.push(`the run in progress is ${String(run?.status)}`);
  return { ...busy, broken, runMs, happened };
}

interface Scene {
  readonly settings: Readonly<Record<string, string>>;
  readonly user: string;
  readonly ledger: Ledger;
  /** When the model has been asked, the run is in progress. */
  readonly asked: Promise<void>;
}

async function stopWhileBusy(
  { chance }: Trial,
  { settings, user, ledger, asked }: Scene,
): Promise<Omit<Stop, 'runMs' | 'happened'>> {
  await using server = await startServer(settings);
  const client = await server.as(user);
  const attempts: Attempt[] = [];
  const load = { ledger, chance, name: user, writers: 8, isOver: () => false };
  const writing = keepWriting(client, { ...load, onAttempt: (sent) => void attempts.push(sent) });
  const agent = await createAgent(client, { runtime: 'slow' });
  const waiting = runAgent(client, agent, 'Think', { context: { session_id: 'stopped' } });
  await asked;
  await sleep(chance.between(0, 300));
  const slow = await slowRequests(server, user);
  const ended = await server.stop('SIGTERM');
  await writing;
  const answers = await Promise.all(slow);
  const told = await waiting.then(({ status }) =>
    status === 202 ? [] : [`who waited was answered ${status}`],
  );
  const broken = [
    ...answers.flat(),
    ...told,
    ...attempts.filter(({ kind }) => kind !== 'cut off').flatMap(complaintAbout),
  ];
  if (ended.code !== 0) broken.push(`exit code ${String(ended.code)}`);
  return { ended, attempts, broken };
}

/** Two large charts and three bodies that are on their way when the signal comes; a sentence for each that fails. */
async function slowRequests(server: ServerProcess, user: string): Promise<Promise<string[]>[]> {
  // Their tasks belong to somebody else, as the ledger does not know them.
  const other = `slow ${user}`;
  const client = await server.as(other);
  const large = { data: [{ label: 'a', value: 1 }], width: 3000, height: 3000 };
  const charts = [1, 2].map(async () => complaintAbout(await attempt(client, 'renderPng', { body: large })));
  const bodies = [100, 400, 1500].map(async (ms) => {
    const request = await beginTask(server.url, other, `slow ${ms}`);
    return sleep(ms).then(async () => {
      const answer = await request.finish();
      return answer.startsWith('HTTP/1.1 201')
        ? []
        : [`a body that took ${ms} ms was answered "${answer.slice(0, 60)}"`];
    });
  });
  // The heads must have arrived before the signal does.
  await sleep(50);
  return [...charts, ...bodies];
}

/** Whoever comes too late cannot connect any more; everybody else gets an answer. */
function complaintAbout(sent: Attempt): string[] {
  if (sent.kind === 'unreachable') return [];
  if (sent.kind !== 'answered') return [`${sent.kind}: ${sent.reason}`];
  return sent.answer.status < 300 ? [] : [`a request was answered ${sent.answer.status}`];
}
