import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { McpSkillConfig } from '../../../config/config.ts';
import { unlessAborted } from '../../../until-aborted.ts';
import type { Skill, Tool, ToolContext } from '../tool.ts';
import { callMcpTool } from './call-mcp-tool.ts';
import { createMcpSessions, type McpSession } from './mcp-session.ts';
import { schemaErrors } from './schema-errors.ts';
import { createToolList, type ToolList } from './tool-list.ts';
import type { UsableTool } from './usable-tools.ts';

interface McpSkillOptions {
  /** The time limit of a call. */
  readonly toolMs: number;
  readonly logger: Logger;
  /** Called when the tools could not be listed or called. */
  readonly onFailure: () => void;
}

/** The skill `mcp:<name>`: the tools of an MCP server, as `<name>__<tool>`. */
export function mcpSkill(server: McpSkillConfig, { toolMs, logger, onFailure }: McpSkillOptions): Skill {
  const { list, last } = createToolList(server, logger, onFailure);
  const source = { server, sessionOf: createMcpSessions(server), toolMs, onFailure };
  const toolsFrom = ({ tools }: ToolList): Tool[] => tools.map((tool) => toolFrom(tool, source));
  return {
    listTools: async ({ signal, isFresh = false }) => toolsFrom(await unlessAborted(signal, list(isFresh))),
    lastList: () => {
      const listed = last();
      return listed && { tools: toolsFrom(listed), problem: listed.problem };
    },
  };
}

interface ToolSource {
  readonly server: McpSkillConfig;
  readonly sessionOf: (run: ToolContext) => McpSession;
  readonly toolMs: number;
  readonly onFailure: () => void;
}

function toolFrom(
  { name, description, definition }: UsableTool,
  { server, sessionOf, toolMs, onFailure }: ToolSource,
): Tool {
  const { readOnlyHint = false } = definition.annotations ?? {};
  return {
    name,
    description,
    parameters: definition.inputSchema,
    isRepeatable: false,
    needsApproval: server.approval === 'always' || (server.approval === 'writes' && !readOnlyHint),
    identity: () => hashOf([server.url, description, definition]),
    findErrors: (values) => schemaErrors(definition.inputSchema, values),
    call: async (values, context) => {
      const target = { server, session: sessionOf(context), definition, toolMs };
      try {
        return await callMcpTool(target, values, context);
      } catch (error) {
        if (!context.signal.aborted) onFailure();
        throw error;
      }
    },
  };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
