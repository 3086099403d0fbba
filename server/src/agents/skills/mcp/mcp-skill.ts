import type { Logger } from 'pino';
import { unlessAborted } from '../../../until-aborted.ts';
import type { Skill, Tool } from '../tool.ts';
import { callMcpTool } from './call-mcp-tool.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { createToolList } from './tool-list.ts';
import type { UsableTool } from './usable-tools.ts';

interface McpSkillOptions {
  /** The time limit of a call. */
  readonly toolMs: number;
  readonly logger: Logger;
}

/** The skill `mcp:<name>`: the tools of an MCP server, as `<name>__<tool>`. */
export function mcpSkill(server: McpSkillConfig, { toolMs, logger }: McpSkillOptions): Skill {
  const listTools = createToolList(server, logger);
  return async (signal) => {
    const tools = await unlessAborted(signal, listTools());
    return tools.map((tool) => toolFrom(server, tool, toolMs));
  };
}

function toolFrom(
  server: McpSkillConfig,
  { name, description, definition }: UsableTool,
  toolMs: number,
): Tool {
  const { readOnlyHint = false } = definition.annotations ?? {};
  return {
    name,
    description,
    parameters: definition.inputSchema,
    isRepeatable: false,
    needsApproval: server.approval === 'always' || (server.approval === 'writes' && !readOnlyHint),
    call: (values, context) => callMcpTool({ server, definition, toolMs }, values, context),
  };
}
