import { createHash } from 'node:crypto';
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Logger } from 'pino';
import type { McpSkillConfig } from '../../../config/config.ts';
import { Problem } from '../../../errors.ts';
import { unlessAborted } from '../../../until-aborted.ts';
import { unknownOutcome, type Skill, type Tool, type ToolContext, type ToolResult } from '../tool.ts';
import { streamEnded } from './connection.ts';
import { loggedFailure } from './failure.ts';
import { LimitExceeded } from './limited-fetch.ts';
import { McpSession, Unreachable } from './mcp-session.ts';
import { resultFrom } from './result.ts';
import { schemaErrors } from './schema-errors.ts';
import { createToolList, type UsableTool } from './tool-list.ts';

interface McpSkillOptions {
  /** How long the server may send neither the result of a call nor progress. */
  readonly toolMs: number;
  readonly logger: Logger;
  /** Called when the tools could not be listed or called. */
  readonly onFailure: () => void;
}

/** The skill `mcp:<name>`: the tools of an MCP server, as `<name>__<tool>`. */
export function mcpSkill(server: McpSkillConfig, { toolMs, logger, onFailure }: McpSkillOptions): Skill {
  // Each run that this process executes has a session of its own.
  const sessions = new WeakMap<ToolContext['resources'], McpSession>();
  const toolFrom = (usable: UsableTool): Tool => {
    const { name, description, definition } = usable;
    const { readOnlyHint = false } = definition.annotations ?? {};
    return {
      name,
      description,
      parameters: definition.inputSchema,
      isRepeatable: false,
      needsApproval: server.approval === 'always' || (server.approval === 'writes' && !readOnlyHint),
      identity: () =>
        createHash('sha256')
          .update(JSON.stringify([server.url, description, definition]))
          .digest('base64url'),
      findErrors: (values) => schemaErrors(definition.inputSchema, values),
      call: async (values, context) => {
        const session = sessions.get(context.resources) ?? new McpSession(server, context);
        sessions.set(context.resources, session);
        try {
          return await callTool({ server, session, definition, toolMs }, values, context);
        } catch (error) {
          if (!context.signal.aborted) onFailure();
          throw error;
        }
      },
    };
  };
  return createToolList(server, toolFrom, { logger, onFailure });
}

interface CallTarget {
  readonly server: McpSkillConfig;
  readonly session: McpSession;
  readonly definition: UsableTool['definition'];
  readonly toolMs: number;
}

/**
 * Calls a tool of an MCP server. The effect cannot be part of a transaction. So for a call that must not be repeated,
 * its beginning is committed before the call is sent.
 */
async function callTool(
  target: CallTarget,
  values: Readonly<Record<string, unknown>>,
  { signal: stop, begin }: ToolContext,
): Promise<ToolResult> {
  const { session, definition, toolMs } = target;
  const fail = (error: unknown): never => {
    throw failureOf(error, target, stop);
  };
  await session.open(AbortSignal.any([stop, AbortSignal.timeout(toolMs)])).catch(fail);
  if (!isDeclaredRepeatable(definition)) await begin();
  const result = await session
    .send(({ client, signal: exceeded }) => {
      const signal = AbortSignal.any([stop, exceeded]);
      const limit = { signal, timeout: toolMs, resetTimeoutOnProgress: true, onprogress: () => undefined };
      const options = { toolDefinition: definition, ...limit };
      return unlessAborted(signal, client.callTool({ name: definition.name, arguments: values }, options));
    }, stop)
    .catch(fail);
  return resultFrom(result, notesOf(target));
}

/** Returns true if the server declares that a second call is harmless. */
function isDeclaredRepeatable({ annotations = {} }: UsableTool['definition']): boolean {
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}

/** Tells the model that the server has lost the state of earlier calls. */
function notesOf({ session, server: { name } }: CallTarget): string[] {
  if (!session.takeLostState()) return [];
  return [`The connection to the MCP server "${name}" was opened again; state that it kept is lost.`];
}

function failureOf(error: unknown, target: CallTarget, stop: AbortSignal): Problem {
  const sentences = [...notesOf(target), sentenceOf(error, target, stop)];
  const cause = new Error(loggedFailure(target.server.name, error));
  return new Problem('Bad Request', sentences.join('\n'), { cause });
}

function sentenceOf(error: unknown, { server, definition }: CallTarget, stop: AbortSignal): string {
  const name = `The MCP server "${server.name}"`;
  const outcome = isDeclaredRepeatable(definition) ? 'The call can be repeated.' : unknownOutcome;
  if (error instanceof Unreachable)
    return `${name} cannot be reached, or refused the connection. Nothing was done.`;
  if (!(error instanceof ProtocolError) || error.code === streamEnded)
    return `${name} ${reasonOf(error, stop)}. ${outcome}`;
  // Only an unknown method proves that nothing was done. Other errors may follow an effect: a server may even report
  // its own invalid result as invalid parameters.
  const sentence = `${name} refused the call: ${error.message}`;
  const methodNotFound: number = ProtocolErrorCode.MethodNotFound;
  return error.code === methodNotFound ? sentence : `${sentence}\n${outcome}`;
}

function reasonOf(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof LimitExceeded) return error.message;
  if (error instanceof ProtocolError) return 'ended its response without a result';
  const isLate = aborted || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout);
  return isLate ? 'did not answer in time' : 'did not answer, or its answer could not be read';
}
