import type { OperationId, CallOperation } from '../../operation.ts';
import { operationTool } from './operation-tool.ts';
import { changingTools, readingTools } from './tasks.ts';
import type { Tool } from './tool.ts';
import { chartTool } from './viz.ts';

/** The skills and their tools. A tool whose operation this server does not offer is left out. */
export function createSkills(
  callOperation: CallOperation,
  offers: (operation: OperationId) => boolean,
): ReadonlyMap<string, readonly Tool[]> {
  const reading = readingTools.filter(({ operation }) => offers(operation));
  const changing = changingTools.filter(({ operation }) => offers(operation));
  return new Map([
    ['tasks', [...changing, ...reading].map((tool) => operationTool(callOperation, tool))],
    ['tasks:read', reading.map((tool) => operationTool(callOperation, tool))],
    ['viz', offers('renderPng') ? [chartTool(callOperation)] : []],
  ]);
}

/** The tools that an agent has by its skills, each once. Skills that are not known give none. */
export function toolsOf(
  skills: ReadonlyMap<string, readonly Tool[]>,
  names: readonly string[],
): readonly Tool[] {
  const tools = names.flatMap((name) => skills.get(name) ?? []);
  return [...new Map(tools.map((tool) => [tool.name, tool])).values()];
}
