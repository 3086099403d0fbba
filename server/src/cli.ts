import { parseArgs } from 'node:util';
import { signingKey } from './auth/keys.ts';
import { issueToken } from './auth/tokens.ts';
import { readConfig, type Config } from './config/config.ts';
import { settingsWarnings } from './config/warnings.ts';
import { StartupError } from './startup-error.ts';
import { createLogger } from './log.ts';
import type { RunningServer } from './start.ts';

const usage = `Usage:
  cli.ts serve [--demo]                                 start the server; --demo with example data, in memory
  cli.ts migrate                                        bring the database up to date
  cli.ts distribute                                     spread the database over the nodes of its Citus cluster
  cli.ts token --user ID [--name NAME] [--ttl 30d]      print a token signed with the local key`;

const commands: Record<string, (config: Config, args: string[]) => Promise<void>> = {
  serve,
  migrate: migrateOnly,
  distribute: distributeOnly,
  token,
};

async function serve(configured: Config, args: string[]): Promise<void> {
  const isDemo = demoRequested(args);
  // Loaded here, so that other commands and errors in settings do not wait for these modules.
  const { start } = await import('./start.ts');
  const { welcome } = await import('./welcome.ts');
  const { demoConfig } = await import('./config/demo.ts');
  const { prepareDemo } = await import('./demo/demo.ts');
  const config = isDemo ? demoConfig(configured) : configured;
  const logger = createLogger(config.logLevel);
  for (const sentence of settingsWarnings()) logger.warn(sentence);
  const server = await start(config, logger);
  closeOnSignal(server);
  const demo = isDemo ? await prepareDemo(config, server.url, logger) : '';
  process.stdout.write((await welcome(config, server)) + demo);
}

function demoRequested(args: string[]): boolean {
  try {
    return parseArgs({ args, options: { demo: { type: 'boolean' } } }).values.demo ?? false;
  } catch (error) {
    throw usageError(error);
  }
}

function usageError(error: unknown): StartupError {
  return new StartupError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
}

/**
 * The first signal closes the server, a later one ends the process. npm forwards a signal that its process group may
 * have received already, so a second signal within a second counts as the first.
 */
function closeOnSignal(server: RunningServer): void {
  let firstSignalMs: number | undefined;
  const onSignal = (): void => {
    if (firstSignalMs === undefined) {
      firstSignalMs = performance.now();
      void server.close().catch(report).finally(exitSoon);
    } else if (performance.now() - firstSignalMs > 1000) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}

/** Sockets to a database that does not answer would keep the process alive for minutes after everything is closed. */
function exitSoon(): void {
  setTimeout(() => process.exit(), 1000).unref();
}

async function migrateOnly(config: Config): Promise<void> {
  const { migrateDatabase, openDatabase } = await import('./db/database.ts');
  const database = await openDatabase(config);
  try {
    const names = await migrateDatabase(config, database, console.error);
    console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}.`);
  } finally {
    await database.close();
  }
}

async function distributeOnly(config: Config): Promise<void> {
  const { distributeDatabase, openDatabase } = await import('./db/database.ts');
  const database = await openDatabase(config);
  try {
    console.log(await distributeDatabase(config, database));
  } finally {
    await database.close();
  }
}

async function token(config: Config, args: string[]): Promise<void> {
  const request = tokenRequest(args);
  const key = await signingKey(config.tokens, config.dataDir);
  if (key === undefined) {
    throw new StartupError(
      'This server only verifies tokens: its key is public. Get a token from its issuer.',
    );
  }
  console.log(await issueToken(key, config.tokens, request));
}

function tokenRequest(args: string[]): { user: string; name: string | undefined; ttl: string } {
  const options = { user: { type: 'string' }, name: { type: 'string' }, ttl: { type: 'string' } } as const;
  try {
    const { user = '', name, ttl = '30d' } = parseArgs({ args, options }).values;
    if (user.trim() === '') throw new StartupError('Name the user with --user.');
    if (/^\d+[smhdwy]?$/.test(ttl)) return { user, name, ttl };
    throw new StartupError(
      `--ttl must be a number of seconds or a span such as 30d or 12h, but it is "${ttl}".`,
    );
  } catch (error) {
    throw usageError(error);
  }
}

async function main([name = 'serve', ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new StartupError(usage);
  await command(readConfig(), args);
}

/** Prints only the message of an error that an operator can fix, and the stack of any other error. */
function report(error: unknown): void {
  console.error(error instanceof StartupError ? error.message : error);
  process.exitCode = 1;
}

main(process.argv.slice(2)).catch(report);
