import type { ModelConfig } from '../../config/config.ts';
import { builtin } from './builtin/builtin.ts';
import { observed, type ObservedRuntime } from './runtime-state.ts';

/** The runtimes of this server by name: the built-in one and the configured model servers. */
export async function openRuntimes(
  models: readonly ModelConfig[],
): Promise<ReadonlyMap<string, ObservedRuntime>> {
  const ownRuntime = ['builtin', observed(builtin, 'ready')] as const;
  if (models.length === 0) return new Map([ownRuntime]);
  // The SDK is loaded on its first use, because loading takes a while.
  const { openaiRuntime } = await import('./openai/openai.ts');
  const configured = models.map((model) => [model.name, observed(openaiRuntime(model), 'unknown')] as const);
  return new Map([ownRuntime, ...configured]);
}
