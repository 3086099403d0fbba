import type { Config } from '../config/config.ts';
import { demoConfig } from '../config/demo.ts';
import { settingsWarnings } from '../config/warnings.ts';
import { prepareDemo } from '../demo/demo.ts';
import { createLogger } from '../log.ts';
import { start, type RunningServer } from '../start.ts';
import { welcome } from '../welcome.ts';
import { nameDatabase } from './open.ts';
import { startWatchdog } from './watchdog.ts';

/** Starts the server; a signal stops it. A demo has example data in memory. */
export async function serve(configured: Config, { isDemo }: { readonly isDemo: boolean }): Promise<void> {
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
      void server.close().catch(reportFailure).finally(exitSoon);
    } else if (performance.now() - firstSignalMs > 1000) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
}

function reportFailure(error: unknown): void {
  console.error(error);
  process.exitCode = 1;
}

/** Sockets to a database that does not respond would otherwise keep the process alive for minutes after the close. */
function exitSoon(): void {
  setTimeout(() => process.exit(), 1000).unref();
}
