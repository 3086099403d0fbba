import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/client';
import type { McpSkillConfig } from '../../../config/config.ts';
import { Problem } from '../../../errors.ts';
import { unlessAborted } from '../../../until-aborted.ts';
import { unknownOutcome, type ToolContext, type ToolResult } from '../tool.ts';
import type { McpConnection } from './connection.ts';
import { loggedFailure } from './failure.ts';
import { LimitExceeded } from './limited-fetch.ts';
import { Unreachable, type McpSession } from './mcp-session.ts';
import { resultFrom } from './result.ts';
import type { UsableTool } from './usable-tools.ts';

interface CallTarget {
  readonly server: McpSkillConfig;
  readonly session: McpSession;
  readonly definition: UsableTool['definition'];
  /** The time limit of the call. */
  readonly toolMs: number;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Calls a tool of an MCP server. The effect cannot be part of a transaction. So for a call that must not be repeated,
 * its beginning is committed before the call is sent.
 */
export async function callMcpTool(
  target: CallTarget,
  values: Values,
  { signal, begin }: ToolContext,
): Promise<ToolResult> {
  const { session, definition, toolMs } = target;
  const until = AbortSignal.any([signal, AbortSignal.timeout(toolMs)]);
  const fail = (error: unknown): never => {
    throw failureOf(error, target, until);
  };
  await session.open(until).catch(fail);
  if (!isDeclaredRepeatable(definition)) await begin();
  const result = await session
    .send((connection) => call(connection, target, { values, until }), until)
    .catch(fail);
  return resultFrom(result, notesOf(target));
}

/** Returns true if the server declares that a second call is harmless. */
function isDeclaredRepeatable({ annotations = {} }: UsableTool['definition']): boolean {
  return annotations.readOnlyHint === true || annotations.idempotentHint === true;
}

function call(
  { client, signal: exceeded }: McpConnection,
  { definition, toolMs }: CallTarget,
  { values, until }: { readonly values: Values; readonly until: AbortSignal },
): Promise<CallToolResult> {
  const signal = AbortSignal.any([until, exceeded]);
  // The signal ends the call in time. The client's default limit may be shorter, so it is set too.
  const options = { toolDefinition: definition, signal, timeout: toolMs };
  return unlessAborted(signal, client.callTool({ name: definition.name, arguments: values }, options));
}

/** Tells the model that the server has lost the state of earlier calls. */
function notesOf({ session, server: { name } }: CallTarget): string[] {
  if (!session.takeLostState()) return [];
  return [`The connection to the MCP server "${name}" was opened again; state that it kept is lost.`];
}

function failureOf(error: unknown, target: CallTarget, until: AbortSignal): Problem {
  const sentences = [...notesOf(target), sentenceOf(error, target, until)];
  const cause = new Error(loggedFailure(target.server.name, error));
  return new Problem('Bad Request', sentences.join('\n'), { cause });
}

function sentenceOf(error: unknown, { server, definition }: CallTarget, until: AbortSignal): string {
  const name = `The MCP server "${server.name}"`;
  const outcome = isDeclaredRepeatable(definition) ? 'The call can be repeated.' : unknownOutcome;
  if (error instanceof Unreachable)
    return `${name} cannot be reached, or refused the connection. Nothing was done.`;
  if (!(error instanceof ProtocolError)) return `${name} ${reasonOf(error, until)}. ${outcome}`;
  // Only an unknown method proves that nothing was done. Other errors may follow an effect: a server may even report
  // its own invalid result as invalid parameters.
  const sentence = `${name} refused the call: ${error.message}`;
  const methodNotFound: number = ProtocolErrorCode.MethodNotFound;
  return error.code === methodNotFound ? sentence : `${sentence}\n${outcome}`;
}

function reasonOf(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof LimitExceeded) return error.message;
  return aborted ? 'did not answer in time' : 'did not answer, or its answer could not be read';
}
