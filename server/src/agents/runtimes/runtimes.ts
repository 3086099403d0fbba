import type { ModelConfig } from '../../config/config.ts';
import { builtin } from './builtin/builtin.ts';
import type { ServedRuntime } from './runtime.ts';

/** The runtimes of this server by name: the built-in one and the configured model servers. */
export async function openRuntimes(
  models: readonly ModelConfig[],
): Promise<ReadonlyMap<string, ServedRuntime>> {
  const runtimes = new Map<string, ServedRuntime>([['builtin', { ...builtin, state: 'ready' }]]);
  if (models.length === 0) return runtimes;
  // The SDK is loaded on its first use, because loading takes a while.
  const { openaiRuntime } = await import('./openai/openai.ts');
  for (const model of models) runtimes.set(model.name, { ...openaiRuntime(model), state: 'unknown' });
  return runtimes;
}
