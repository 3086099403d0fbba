import type { ModelConfig } from '../config.ts';
import { builtin } from './builtin/builtin.ts';
import { openaiRuntime } from './openai/openai.ts';
import type { Runtime } from './runtime.ts';

/** The runtimes of this server by name: the built-in one and the configured models. */
export function openRuntimes(models: readonly ModelConfig[]): ReadonlyMap<string, Runtime> {
  const configured = models.map((model) => [model.name, openaiRuntime(model)] as const);
  return new Map<string, Runtime>([['builtin', builtin], ...configured]);
}
