import type { Config } from './config.ts';
import { StartupError } from '../startup-error.ts';

// A demo has nothing to protect. With a fixed key its tokens stay valid after a restart.
const secret = 'the key of a demo, which protects nothing';

/** Pages of this machine may call the demo, on any port. */
const localOrigins = ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [
  `http://${host}:*`,
  `https://${host}:*`,
]);

/**
 * The configuration of a server that keeps its data in memory, whatever database, keys, models and MCP servers are configured. Throws
 * if other machines could reach it, because anybody can sign its tokens.
 */
export function demoConfig(config: Config): Config {
  if (!['127.0.0.1', 'localhost', '::1'].includes(config.listener.host))
    throw new StartupError(
      'A demo listens on this machine only, because anybody can sign its tokens. Remove HOST, or start without --demo.',
    );
  return {
    ...config,
    corsOrigins: config.corsOrigins.length > 0 ? config.corsOrigins : localOrigins,
    database: { ...config.database, url: undefined, isInMemory: true },
    agents: { ...config.agents, models: [], mcpSkills: [], defaultRuntime: 'builtin' },
    tokens: {
      ...config.tokens,
      secret,
      previousSecret: undefined,
      publicKeys: undefined,
      jwksUrl: undefined,
      issuer: undefined,
      audience: undefined,
    },
  };
}
