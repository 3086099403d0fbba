import { parseArgs } from 'node:util';
import { signingKey } from './auth/keys.ts';
import { issueToken } from './auth/tokens.ts';
import { readConfig, type Config } from './config.ts';
import { StartupError } from './environment.ts';
import type { RunningServer } from './server.ts';

const usage = `Usage:
  cli.ts serve                                          start the server
  cli.ts migrate                                        bring the database up to date
  cli.ts token --user ID [--name NAME] [--ttl 30d]      print a token signed with the local key`;

const commands: Record<string, (config: Config, args: string[]) => Promise<void>> = {
  serve,
  migrate: migrateOnly,
  token,
};

async function serve(config: Config): Promise<void> {
  // Loaded here, so that other commands and errors in settings do not wait for these modules.
  const { start } = await import('./server.ts');
  const server = await start(config);
  closeOnSignal(server);
  process.stdout.write(await welcome(config, openableUrl(server.url), server.engine));
}

/** Replaces the wildcard address, which browsers cannot open, by the loopback address. */
function openableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
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
      server.close().catch(report);
    } else if (performance.now() - firstSignalMs > 1000) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}

async function welcome(config: Config, url: string, engine: string): Promise<string> {
  const key = await signingKey(config.tokens, config.dataDir);
  const lines = [`Worktable is ready at ${url} (database: ${engine}).`, `The reference page is ${url}/docs.`];
  const isLocalKey = key !== undefined && config.tokens.secret === undefined;
  if (isLocalKey && isProbablyLogged(config)) {
    lines.push('Get a token with: node server/src/cli.ts token --user ID');
  } else if (isLocalKey) {
    const token = await issueToken(key, config.tokens, { user: 'me', name: 'Me', ttl: '30d' });
    lines.push(
      '',
      'A token for the user "me", good for 30 days:',
      `  ${token}`,
      '',
      'A first request:',
      `  curl -s ${url}/api/tasks -H 'Authorization: Bearer ${token}' \\`,
      `    -H 'Content-Type: application/json' -d '{"title":"Buy milk"}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** Whether the output is probably collected as the log of a server in production, which must not contain a token. */
function isProbablyLogged({ listener }: Config): boolean {
  return !process.stdout.isTTY && !/^(?:localhost|127\..*|::1)$/.test(listener.host);
}

async function migrateOnly(config: Config): Promise<void> {
  const { migrateDatabase, openDatabase } = await import('./db/database.ts');
  const database = await openDatabase(config, () => undefined);
  try {
    const names = await migrateDatabase(config, database);
    console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}.`);
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
    throw new StartupError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
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
