import { citusNodes, createCitusDatabase, dropCitusDatabase } from '../../support/citus.ts';
import { distributeByCommand } from '../../support/migrate.ts';
import { ours } from './contenders.ts';
import { cleanUp, fillDatabase, onDatabase, smallDatabaseUrl, smallRows } from './database.ts';
import { startLoadGenerator } from './load.ts';
import { integer, latencies, table } from './markdown.ts';
import { findSubjects, requestsOf, type Operation } from './requests.ts';
import { medianRound, ratio, runRounds, type RoundResult } from './rounds.ts';

const operations: readonly Operation[] = ['GET one', 'list of 100', 'POST', 'POST with a key'];
const roundOptions = { rounds: 3, roundMs: 1500, warmUpMs: 1500, rampUpMs: 300, connections: 32 };
const name = 'bench_worktable';

/** What distributed tables cost: our server on Postgres and on a Citus cluster on the same machine, with as many tasks. */
export async function measureCitus(): Promise<string> {
  const cluster = process.env['TEST_CITUS_URL'];
  if (cluster === undefined) return 'The part citus is left out, because TEST_CITUS_URL is not set.\n';
  const nodes = await citusNodes(cluster);
  const url = await createCitusDatabase(nodes, name);
  await fillDatabase(url, smallRows);
  await distributeByCommand({ DATABASE_URL: url });
  const subjects = [await onDatabase(smallDatabaseUrl, findSubjects), await onDatabase(url, findSubjects)];
  const generator = await startLoadGenerator();
  const servers = [
    await ours.start({ DATABASE_URL: smallDatabaseUrl }),
    await ours.start({ DATABASE_URL: url }),
  ];
  try {
    const rows = [];
    for (const operation of operations) {
      const entries = servers.map((server, i) => ({
        server,
        requests: requestsOf(operation, subjects[i] ?? { readers: [], writers: [] }, ours),
      }));
      const [postgres = [], citus = []] = await runRounds(entries, generator, roundOptions);
      rows.push([operation, cell(postgres), cell(citus), ratio(citus, postgres).toFixed(2)]);
    }
    const nodesCount = `Citus, ${nodes.length} nodes`;
    const title = `${integer(smallRows)} tasks, ${roundOptions.connections} connections`;
    return table([title, 'Postgres', nodesCount, 'ratio'], rows);
  } finally {
    generator.stop();
    for (const server of servers) await server.stop();
    await dropCitusDatabase(nodes, name);
    await cleanUp(smallDatabaseUrl);
  }
}

function cell(rounds: readonly RoundResult[]): string {
  const median = medianRound(rounds);
  return `${integer(median.perSecond)}/s, ${latencies(median)}, ${integer(median.machineUs)} µs of the machine`;
}
