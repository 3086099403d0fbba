import { readConfig, type Config } from '../../server/src/config/config.ts';
import type { Settings } from '../../server/src/config/setting.ts';
import { settings } from '../../server/src/config/settings.ts';
import { testEnvironment } from './environment.ts';

/** Parts of the configuration that no single setting determines, such as limits computed from several settings. */
export interface ConfigChanges extends Partial<
  Pick<Config, 'concurrentRequestsMax' | 'waitingRequestsMax' | 'bufferedBytesMax'>
> {
  readonly listener?: Partial<Config['listener']>;
  readonly database?: Partial<Config['database']>;
  readonly agents?: Partial<Config['agents']>;
  readonly charts?: Partial<Config['charts']>;
}

interface TestConfigOptions {
  readonly dataDir: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly changes?: ConfigChanges;
}

/** The configuration of a test server. Throws if a variable is not a setting. */
export function testConfig({ dataDir, env = {}, changes = {} }: TestConfigOptions): Config {
  const variables = { DATA_DIR: dataDir, ...testEnvironment, ...env };
  const unknown = Object.keys(env).find((name) => !isSetting(name));
  if (unknown !== undefined)
    throw new Error(`${unknown} is not a setting; see server/src/config/settings.ts.`);
  const config = readConfig(variables);
  return {
    ...config,
    ...changes,
    listener: { ...config.listener, shutdownTimeoutMs: 200, ...changes.listener },
    database: { ...config.database, ...changes.database },
    agents: { ...config.agents, ...changes.agents },
    charts: { workers: 1, queueMax: 80, ...changes.charts },
  };
}

const names = Object.values(settings).flatMap((group: Settings) =>
  Object.values(group).map(({ name }) => name),
);

/** Returns true if a variable is a setting. `<NAME>` matches any name. */
export function isSetting(variable: string): boolean {
  return names.some((name) => new RegExp(`^${name.replace('<NAME>', '.+')}$`).test(variable));
}
