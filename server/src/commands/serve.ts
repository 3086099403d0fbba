import manifest from '../../package.json' with { type: 'json' };
import { signingKey } from '../auth/keys.ts';
import { issueToken } from '../auth/tokens.ts';
import { configChecks, logFindings } from '../ops/checks.ts';
import type { Config } from '../config/config.ts';
import { databaseName } from '../db/database.ts';
import { createLogger } from '../ops/log.ts';
import { start, type RunningServer } from '../start.ts';
import { demoConfig, prepareDemo } from './demo.ts';
import { nameDatabase } from './open.ts';
import { startWatchdog } from './watchdog.ts';

/** Starts the server; a signal stops it. A demo has example data in memory. */
export async function serve(configured: Config, isDemo: boolean): Promise<void> {
  const config = isDemo ? demoConfig(configured) : configured;
  const logger = createLogger(config.logLevel);
  nameDatabase(config);
  const server = await start(config, logger);
  // The watchdog starts late, because a migration of the embedded database may occupy the event loop for minutes.
  startWatchdog();
  closeOnSignal(server);
  const demo = isDemo ? await prepareDemo(config, server.url, logger) : '';
  process.stdout.write((await welcome(config, server)) + demo);
  await logFindings(logger, config, configChecks(config));
}

/** What a ready server prints: text in a terminal, otherwise a log line, whatever the log level is. */
async function welcome(config: Config, server: RunningServer): Promise<string> {
  // Browsers cannot open the wildcard address.
  const url = server.url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
  const { version } = manifest;
  const database = databaseName(config);
  const msg = `Worktable ${version} is ready at ${url} (database: ${database}).`;
  if (!process.stdout.isTTY)
    return `${JSON.stringify({ level: 30, time: Date.now(), version, url, database, msg })}\n`;
  return `${msg}\nThe reference page is ${url}/docs.\n${await firstRequest(config, url)}\n`;
}

/** How to send a first request, if the server made its own key. Only for a terminal: logs must not contain tokens. */
async function firstRequest(config: Config, url: string): Promise<string> {
  const key = await signingKey(config.tokens, config.dataDir);
  if (key === undefined || config.tokens.secret !== undefined) return '';
  const token = await issueToken(key, config.tokens, { user: 'me', name: 'Me', ttl: '30d' });
  return `
A token for the user "me", good for 30 days, in a first request:
  curl -s ${url}/api/tasks -H 'Authorization: Bearer ${token}' \\
    -H 'Content-Type: application/json' -d '{"title":"Buy milk"}'
`;
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
      const reportFailure = (error: unknown): void => {
        console.error(error);
        process.exitCode = 1;
      };
      void server.close().catch(reportFailure).finally(exitSoon);
    } else if (performance.now() - firstSignalMs > 1000) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}
