import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  type CallToolResult,
} from '@modelcontextprotocol/client';
import type { McpSkillConfig } from '../../../config/config.ts';
import { Problem } from '../../../errors.ts';
import { unlessAborted } from '../../../until-aborted.ts';
import { unknownOutcome, type ToolContext, type ToolResult } from '../tool.ts';
import type { McpConnection } from './connection.ts';
import { loggedFailure } from './failure.ts';
import { LimitExceeded } from './limited-fetch.ts';
import { Unreachable, type McpSession } from './mcp-session.ts';
import { resultFrom } from './result.ts';
import { streamEnded } from './transport.ts';
import type { UsableTool } from './usable-tools.ts';

interface CallTarget {
  readonly server: McpSkillConfig;
  readonly session: McpSession;
  readonly definition: UsableTool['definition'];
  /** How long the server may send neither a result nor progress. */
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
  const fail = (error: unknown): never => {
    throw failureOf(error, target, signal);
  };
  await session.open(AbortSignal.any([signal, AbortSignal.timeout(toolMs)])).catch(fail);
  if (!isDeclaredRepeatable(definition)) await begin();
  const result = await session
    .send((connection) => call(connection, target, { values, stop: signal }), signal)
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
  { values, stop }: { readonly values: Values; readonly stop: AbortSignal },
): Promise<CallToolResult> {
  const signal = AbortSignal.any([stop, exceeded]);
  const limit = { signal, timeout: toolMs, resetTimeoutOnProgress: true, onprogress: () => undefined };
  const options = { toolDefinition: definition, ...limit };
  return unlessAborted(signal, client.callTool({ name: definition.name, arguments: values }, options));
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
