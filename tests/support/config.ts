import { readConfig, type Config } from '../../server/src/config.ts';
import { testEnvironment } from './environment.ts';

/** The configuration of a test server. */
export function testConfig({ dataDir, env = {} }: { dataDir: string; env?: NodeJS.ProcessEnv }): Config {
  return readConfig({ DATA_DIR: dataDir, ...testEnvironment, ...env });
}
