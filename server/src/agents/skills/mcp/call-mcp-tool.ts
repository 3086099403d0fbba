import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/client';
import { Problem } from '../../../errors.ts';
import { unlessAborted } from '../../../until-aborted.ts';
import { unknownOutcome, type ToolContext, type ToolResult } from '../tool.ts';
import type { McpSkillConfig } from '../../../config/config.ts';
import { connect, loggable, type McpConnection } from './connection.ts';
import { LimitExceeded } from './limited-fetch.ts';
import { resultFrom } from './result.ts';
import type { UsableTool } from './usable-tools.ts';

interface CallTarget {
  readonly server: McpSkillConfig;
  readonly definition: UsableTool['definition'];
  /** The time limit of the call. */
  readonly toolMs: number;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Calls a tool of an MCP server. Its effect cannot be part of a transaction, so the beginning of a call that must not be
 * repeated is committed before the call is sent.
 */
export async function callMcpTool(
  target: CallTarget,
  values: Values,
  { signal, begin }: ToolContext,
): Promise<ToolResult> {
  const { server, definition, toolMs } = target;
  const until = AbortSignal.any([signal, AbortSignal.timeout(toolMs)]);
  const connection = await connect(server, until).catch((error: unknown) => {
    const sentence = `The MCP server "${server.name}" cannot be reached, or refused the connection. Nothing was done.`;
    throw new Problem('Bad Request', sentence, { cause: loggable(error) });
  });
  try {
    if (!isRepeatable(definition)) await begin();
    return await call(connection, target, values)
      .then(resultFrom)
      .catch((error: unknown) => {
        throw failureOf(error, connection, target);
      });
  } finally {
    connection.close();
  }
}

/** Whether a second call does no harm, as the server says. */
function isRepeatable({ annotations = {} }: UsableTool['definition']): boolean {
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}

function call(
  { client, signal }: McpConnection,
  { definition, toolMs }: CallTarget,
  values: Values,
): Promise<CallToolResult> {
  // The signal ends the call in time. The client has a limit of its own, which may be shorter.
  const options = { toolDefinition: definition, signal, timeout: toolMs };
  return unlessAborted(signal, client.callTool({ name: definition.name, arguments: values }, options));
}

function failureOf(error: unknown, { signal }: McpConnection, { server, definition }: CallTarget): Problem {
  const name = `The MCP server "${server.name}"`;
  const outcome = isRepeatable(definition) ? 'The call can be repeated.' : unknownOutcome;
  if (!(error instanceof ProtocolError))
    return new Problem('Bad Request', `${name} ${reasonOf(signal)}. ${outcome}`, { cause: loggable(error) });
  // Only an unknown method proves that nothing was done. Any other error may follow an effect: a server may report its own
  // invalid result as invalid parameters.
  const sentence = `${name} refused the call: ${error.message}`;
  const methodNotFound: number = ProtocolErrorCode.MethodNotFound;
  return new Problem('Bad Request', error.code === methodNotFound ? sentence : `${sentence}\n${outcome}`, {
    cause: loggable(error),
  });
}

function reasonOf({ aborted, reason }: AbortSignal): string {
  if (reason instanceof LimitExceeded) return reason.message;
  return aborted ? 'did not answer in time' : 'did not answer, or its answer could not be read';
}
