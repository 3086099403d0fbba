import manifest from '../../package.json' with { type: 'json' };
import { signingKey } from '../auth/keys.ts';
import { issueToken } from '../auth/tokens.ts';
import { agentChecks, logFindings } from '../ops/checks.ts';
import type { Config } from '../config/config.ts';
import { settingsWarnings } from '../config/warnings.ts';
import { databaseName } from '../db/database.ts';
import { createLogger } from '../ops/log.ts';
import { program } from '../lib/startup-error.ts';
import { start, type RunningServer } from '../start.ts';
import type { Arguments } from './arguments.ts';
import { demoConfig, prepareDemo } from './demo.ts';
import { nameDatabase } from './open.ts';
import { startWatchdog } from './watchdog.ts';

/** Starts the server; a signal stops it. A demo has example data in memory. */
export async function serve(configured: Config, { find }: Arguments): Promise<void> {
  const isDemo = find('demo') !== undefined;
  const config = isDemo ? demoConfig(configured) : configured;
  const logger = createLogger(config.logLevel);
  nameDatabase(config);
  for (const sentence of settingsWarnings()) logger.warn(sentence);
  const server = await start(config, logger);
  // Not earlier, because a migration of the embedded database may occupy the event loop for minutes.
  startWatchdog();
  closeOnSignal(server);
  const demo = isDemo ? await prepareDemo(config, server.url, logger) : '';
  process.stdout.write((await welcome(config, server)) + demo);
  await logFindings(logger, config, agentChecks(config));
}

/** What a ready server prints: text in a terminal, otherwise a log line, whatever the log level is. */
async function welcome(config: Config, server: RunningServer): Promise<string> {
  // Browsers cannot open the wildcard address.
  const url = server.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  const database = databaseName(config);
  const sentence = `Worktable ${manifest.version} is ready at ${url} (database: ${database}).`;
  const token = await tokenLines(config, url);
  return process.stdout.isTTY
    ? [sentence, `The reference page is ${url}/docs.`, ...token, '', ''].join('\n')
    : logLine({ version: manifest.version, url, database }, sentence) +
        token.map((line) => `${line}\n`).join('');
}

/** How to send a first request, if the server made its own key. */
async function tokenLines(config: Config, url: string): Promise<string[]> {
  const key = await signingKey(config.tokens, config.dataDir);
  if (key === undefined || config.tokens.secret !== undefined) return [];
  // This output may be collected as a log, which must not contain a token.
  if (!process.stdout.isTTY) return [`Get a token with: ${program} token --user ID`];
  const token = await issueToken(key, config.tokens, { user: 'me', name: 'Me', ttl: '30d' });
  return [
    '',
    'A token for the user "me", good for 30 days:',
    `  ${token}`,
    '',
    'A first request:',
    `  curl -s ${url}/api/tasks -H 'Authorization: Bearer ${token}' \\`,
    `    -H 'Content-Type: application/json' -d '{"title":"Buy milk"}'`,
    '',
  ];
}

function logLine(fields: object, sentence: string): string {
  let line = '';
  createLogger('info', { write: (text) => (line = text) }).info(fields, sentence);
  return line;
}

/**
 * The first signal closes the server, and a later one ends the process. npm may forward a signal that the process has
 * already received, so a second signal within a second is ignored.
 */
function closeOnSignal(server: RunningServer): void {
  let firstSignalMs: number | undefined;
  const onSignal = (): void => {
    if (firstSignalMs === undefined) {
      firstSignalMs = performance.now();
      // Sockets to a database that does not respond would otherwise keep the process alive for minutes.
      const exitSoon = () => setTimeout(() => process.exit(), 1000).unref();
      void server.close().catch(reportFailure).finally(exitSoon);
    } else if (performance.now() - firstSignalMs > 1000) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}

function reportFailure(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}
