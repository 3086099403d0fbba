import type { ModelConfig } from '../../config/config.ts';
import { builtin } from './builtin/builtin.ts';
import type { Runtime } from './runtime.ts';

/** The runtimes of this server by name: the built-in one and the configured model servers. */
export async function openRuntimes(models: readonly ModelConfig[]): Promise<ReadonlyMap<string, Runtime>> {
  if (models.length === 0) return new Map([['builtin', builtin]]);
  // Loading the SDK takes a while, so load it only if it is used.
  const { openaiRuntime } = await import('./openai/openai.ts');
  const configured = models.map((model) => [model.name, openaiRuntime(model)] as const);
  return new Map([['builtin', builtin], ...configured]);
}
