import type { Tool as McpTool } from '@modelcontextprotocol/client';
import { depthExceeds } from '../../../json-depth.ts';
import { toStorableJson } from '../../../storable-text.ts';
import { truncateText } from '../../../tools/result-size.ts';

export interface UsableTool {
  /** The name for models. */
  readonly name: string;
  readonly description: string;
  /** What a call needs. Without the output's schema, the client also returns a result that violates it to the model. */
  readonly definition: Pick<McpTool, 'name' | 'inputSchema' | 'annotations'>;
}

// A model reads all definitions in each step.
const toolsMax = 100;
const definitionBytesMax = 128 * 1024;
const descriptionLengthMax = 2_048;
const depthMax = 64;
// What the common model servers accept.
const nameForModels = /^[\w-]{1,64}$/;

/**
 * Selects the tools that models can have. A tool is left out if its name is too long or not unique, if its schema is too
 * deep, or if the tools before it have used up a limit.
 */
export function usableTools(
  server: string,
  definitions: readonly McpTool[],
): { readonly usable: readonly UsableTool[]; readonly leftOut: readonly string[] } {
  const names = definitions.map(({ name }) => `${server}__${name.replaceAll(/[^\w-]/g, '_')}`);
  const uses = Map.groupBy(names, (name) => name);
  const usable: UsableTool[] = [];
  const leftOut: string[] = [];
  let bytesLeft = definitionBytesMax;
  for (const [i, definition] of definitions.entries()) {
    const name = names[i] ?? '';
    const isUnique = uses.get(name)?.length === 1;
    const fits = isUnique && nameForModels.test(name) && !depthExceeds(definition.inputSchema, depthMax);
    const tool = fits ? describe(name, definition) : undefined;
    const bytes = tool === undefined ? 0 : bytesOf(tool);
    if (tool !== undefined && usable.length < toolsMax && bytes <= bytesLeft) {
      usable.push(tool);
      bytesLeft -= bytes;
    } else leftOut.push(truncateText(definition.name, 100));
  }
  return { usable, leftOut };
}

function describe(name: string, tool: McpTool): UsableTool {
  const { name: serverName, title, inputSchema, annotations } = tool;
  const definition = { name: serverName, inputSchema, ...(annotations && { annotations }) };
  const description = truncateText(tool.description ?? title ?? serverName, descriptionLengthMax);
  return toStorableJson({ name, description, definition });
}

function bytesOf({ description, definition }: UsableTool): number {
  return Buffer.byteLength(description) + Buffer.byteLength(JSON.stringify(definition.inputSchema));
}
