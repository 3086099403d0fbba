import { readConfig, type Config } from '../../server/src/config.ts';
import { secret } from './tokens.ts';

/** The configuration of a test server: a free port, the tests' secret, silent logs. */
export function testConfig({ dataDir, env = {} }: { dataDir: string; env?: NodeJS.ProcessEnv }): Config {
  return readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    JWT_SECRET: secret,
    LOG_LEVEL: 'silent',
    SHUTDOWN_DELAY_MS: '50',
    SHUTDOWN_TIMEOUT_MS: '200',
    CHART_WORKERS: '1',
    // What a test holds it holds as long as a busy machine takes; tests of a limit set their own.
    DATABASE_LOCK_TIMEOUT_MS: '60000',
    DATABASE_STATEMENT_TIMEOUT_MS: '60000',
    DATABASE_POOL_WAIT_MS: '60000',
    ...env,
  });
}
