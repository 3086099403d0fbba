import { tokenFor } from '../support/tokens.ts';
import { requestText, type RawAnswer } from './connection.ts';
import { above, quantile, type Finding, type Trial } from './finding.ts';
import { closedLoop, openLoop, type Offered } from './load.ts';
import { chartRequest } from './memory.ts';
import { memoryOf, probed, type Memory } from './memory-use.ts';
import { startServer, type ServerProcess } from './server-process.ts';

const times = 10;
/** More would be a test of the system's sockets. */
const connections = 1000;
const acceptedMs = 1000;
const residentMax = 200;

/** Finds out what the server sustains, and offers ten times that. */
export async function tryOverload(trial: Trial): Promise<Finding[]> {
  await using database = await trial.databases.fresh('Postgres');
  await using server = await startServer({ ...database.env, LOG_LEVEL: 'silent' }, probed);
  const token = await tokenFor('overload');
  const list = requestText('GET', '/api/tasks?limit=10', token);
  const create = requestText('POST', '/api/tasks', token, { title: 'Overload' });
  const chart = chartRequest(token);
  const tasks = (index: number): string => (index % 4 === 0 ? create : list);
  return [
    await overload(trial, server, { what: 'GET and POST tasks', next: tasks }),
    await overload(trial, server, { what: 'PNG charts', next: () => chart }),
  ];
}

interface Kind {
  readonly what: string;
  readonly next: (index: number) => string;
}

async function overload(
  { isShort, say }: Trial,
  server: ServerProcess,
  { what, next }: Kind,
): Promise<Finding> {
  const { url } = server;
  await closedLoop({ url, next, connections: 16 }, { ms: 1000 });
  const calmMs = isShort ? 1500 : 5000;
  const sustained =
    (await closedLoop({ url, next, connections: 16 }, { ms: calmMs })).length / (calmMs / 1000);
  const before = await memoryOf(server);
  const ms = isShort ? 3000 : 15_000;
  const offered = await openLoop({ url, next, connections }, { rate: sustained * times, ms });
  const [after, [again]] = [
    await memoryOf(server),
    await closedLoop({ url, next, connections: 1 }, { count: 1 }),
  ];
  say(`${what} are tried`);
  return finding(what, {
    sustained,
    ms,
    offered,
    before,
    after,
    isBack: again !== undefined && again.status < 300,
  });
}

interface Overloaded {
  readonly sustained: number;
  readonly ms: number;
  readonly offered: Offered;
  readonly before: Memory;
  readonly after: Memory;
  readonly isBack: boolean;
}

function finding(what: string, { sustained, ms, offered, before, after, isBack }: Overloaded): Finding {
  const { answers, unsent } = offered;
  const isAccepted = ({ status }: RawAnswer): boolean => status >= 200 && status < 300;
  const accepted = answers.filter(isAccepted).map((answer) => answer.ms);
  const refused = answers.filter(({ status }) => status === 503);
  const refusedMs = refused.map((answer) => answer.ms);
  const others = answers.filter((answer) => answer.status !== 503 && !isAccepted(answer));
  const statuses = [...new Set(others.map(({ status }) => status))].join(', ');
  const silent = refused.filter(({ head }) => !/^retry-after: \d/im.test(head)).length;
  const shown = (list: readonly number[]): string =>
    `p50 ${quantile(list, 0.5).toFixed(0)} ms, p99 ${quantile(list, 0.99).toFixed(0)} ms`;
  return {
    promise: `overload: ${what}`,
    engine: 'Postgres',
    tried:
      `sustained ${sustained.toFixed(0)}/s; offered ${(sustained * times).toFixed(0)}/s for ${ms / 1000} s, of which ` +
      `${(answers.length / (ms / 1000)).toFixed(0)}/s were sent by ${connections} connections (${unsent} found none free)`,
    lost: `${others.length} neither accepted nor refused${statuses && ` (${statuses})`}`,
    recovery:
      `${accepted.length} accepted (${shown(accepted)}), ${refused.length} refused (${shown(refusedMs)}); ` +
      `heap ${before.heap} to ${after.heap} MB, resident ${before.resident} to ${after.resident} MB`,
    figure: 'accepted p99 under 1 s, the rest 503 with Retry-After at once, memory flat',
    broken: [
      ...(accepted.length > 0 ? [] : ['nothing was accepted']),
      ...(others.length === 0 ? [] : [`${others.length} requests were neither accepted nor refused`]),
      ...(silent === 0 ? [] : [`${silent} refusals had no Retry-After`]),
      ...(isBack ? [] : ['the server did not answer afterwards']),
    ],
    beyond: [
      ...above('p99 of the accepted was', quantile(accepted, 0.99), acceptedMs, 'ms'),
      ...above('p99 of the refused was', quantile(refusedMs, 0.99), acceptedMs, 'ms'),
      ...above('the resident memory grew by', after.resident - before.resident, residentMax, 'MB'),
    ],
  };
}
