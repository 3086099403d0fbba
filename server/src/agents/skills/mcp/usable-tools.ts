import type { Tool as McpTool } from '@modelcontextprotocol/client';
import { depthExceeds } from '../../../json-depth.ts';
import { toStorableJson } from '../../../storable-text.ts';
import { truncateText } from '../../../tools/result-size.ts';

export interface UsableTool {
  /** The name that models use. */
  readonly name: string;
  readonly description: string;
  /**
   * What a call needs of the definition. It lacks the output schema, so that the client passes on a result that does
   * not match it.
   */
  readonly definition: Pick<McpTool, 'name' | 'inputSchema' | 'annotations'>;
}

// A model reads all definitions in each step.
const toolsMax = 100;
const definitionBytesMax = 128 * 1024;
const descriptionLengthMax = 2_048;
const depthMax = 64;
// The characters and length that common model servers accept.
const nameForModels = /^[\w-]{1,64}$/;

/** Selects the tools that models can have. `leftOut` has the names of the other tools, with the reasons. */
export function usableTools(
  server: string,
  definitions: readonly McpTool[],
): { readonly usable: readonly UsableTool[]; readonly leftOut: readonly string[] } {
  const names = definitions.map(({ name }) => nameOf(server, name));
  const uses = Map.groupBy(names, (name) => name);
  const [usable, leftOut]: [UsableTool[], string[]] = [[], []];
  let bytesLeft = definitionBytesMax;
  const leaveOut = ({ name }: McpTool, reason: string): void => {
    leftOut.push(`${truncateText(name, 100)}: ${reason}`);
  };
  for (const definition of definitions) {
    const name = nameOf(server, definition.name);
    const obstacle = uses.get(name)?.length === 1 ? obstacleOf(name, definition) : 'its name is not unique';
    if (obstacle !== undefined) {
      leaveOut(definition, obstacle);
      continue;
    }
    const tool = describe(name, definition);
    const bytes = bytesOf(tool);
    if (usable.length < toolsMax && bytes <= bytesLeft) {
      usable.push(tool);
      bytesLeft -= bytes;
    } else leaveOut(definition, 'the tools before it fill the limits');
  }
  return { usable, leftOut };
}

function nameOf(server: string, tool: string): string {
  return `${server}__${tool.replaceAll(/[^\w-]/g, '_')}`;
}

/** The reason why models cannot have a tool; undefined if they can. */
function obstacleOf(name: string, { inputSchema, execution }: McpTool): string | undefined {
  if (!nameForModels.test(name)) return 'its name for models is longer than 64 characters';
  if (depthExceeds(inputSchema, depthMax)) return 'its schema is nested too deeply';
  if (execution?.taskSupport === 'required') return 'its calls must be tasks of the protocol';
  return undefined;
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
