import type { OperationId, CallOperation } from '../../operation.ts';
import { operationTool } from './operation-tool.ts';
import { changingTools, readingTools } from './tasks.ts';
import type { Tool } from './tool.ts';
import { chartTool } from './viz.ts';

/** The skills and their tools. A tool is left out if this server does not have its operation. */
export function createSkills(
  callOperation: CallOperation,
  hasOperation: (operation: OperationId) => boolean,
): ReadonlyMap<string, readonly Tool[]> {
  const reading = readingTools.filter(({ operation }) => hasOperation(operation));
  const changing = changingTools.filter(({ operation }) => hasOperation(operation));
  return new Map([
    ['tasks', [...changing, ...reading].map((tool) => operationTool(callOperation, tool))],
    ['tasks:read', reading.map((tool) => operationTool(callOperation, tool))],
    ['viz', hasOperation('renderPng') ? [chartTool(callOperation)] : []],
  ]);
}

/** The tools of an agent's skills, without duplicates. Unknown skills have none. */
export function toolsOf(
  skills: ReadonlyMap<string, readonly Tool[]>,
  names: readonly string[],
): readonly Tool[] {
  const tools = names.flatMap((name) => skills.get(name) ?? []);
  return [...new Map(tools.map((tool) => [tool.name, tool])).values()];
}
