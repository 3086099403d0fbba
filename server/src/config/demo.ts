import { StartupError } from '../lib/startup-error.ts';
import type { Config } from './config.ts';

// A demo has nothing to protect. A fixed key keeps its tokens valid after a restart.
const secret = 'the key of a demo, which protects nothing';

const localHosts = ['localhost', '127.0.0.1', '[::1]'];
/** Pages of this machine may call the demo, from any port. */
const localOrigins = localHosts.flatMap((host) => [`http://${host}:*`, `https://${host}:*`]);

/**
 * The configuration of a demo: it keeps its data in memory, and ignores the configured database, keys, models and MCP
 * servers. Anybody can sign its tokens, so this function throws if other machines could reach it. To prevent DNS
 * rebinding, a demo also refuses host names other than those of this machine.
 */
export function demoConfig(config: Config): Config {
  if (!['127.0.0.1', 'localhost', '::1'].includes(config.listener.host))
    throw new StartupError(
      'A demo listens on this machine only, because anybody can sign its tokens. Remove HOST, or start without --demo.',
    );
  return {
    ...config,
    listener: { ...config.listener, hosts: [...localHosts, ...hostOf(config.publicUrl)] },
    corsOrigins: config.corsOrigins.length > 0 ? config.corsOrigins : localOrigins,
    database: { ...config.database, url: undefined, isInMemory: true },
    agents: { ...config.agents, models: [], mcpSkills: [], defaultRuntime: 'builtin' },
    tokens: {
      ...config.tokens,
      secret,
      previousSecret: undefined,
      jwksUrl: undefined,
      issuer: undefined,
      audience: undefined,
    },
  };
}

function hostOf(url: string | undefined): string[] {
  return url === undefined ? [] : [new URL(url).hostname];
}
