import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { causesOf, RequestFailed, textOfError } from '../../../lib/fetch.ts';
import { ServerFault } from './limited-fetch.ts';

/** The error code of a request whose stream ended without a response. */
export const streamEnded = -32_099;

/** The words in which a server has refused a request; empty if there are none, or only a page of HTML. */
export function wordsOf(error: unknown): string {
  if (error instanceof ProtocolError) return isStreamEnded(error) ? '' : error.message;
  const text = error instanceof SdkHttpError ? textOfError(error.data.text).trim() : '';
  return text.startsWith('<') ? '' : text;
}

/**
 * Describes a failure of an MCP server as the end of a sentence that begins with "The MCP server …". Messages of the
 * client and the server are left out: they quote responses, which may repeat the token or the user's text.
 */
export function describeFailure(error: unknown): string {
  const fault = findCause(error, ServerFault);
  if (fault !== undefined) return fault.message;
  const refused = findCause(error, SdkHttpError);
  if (refused !== undefined) return `answered ${refused.status}`;
  if (error instanceof ProtocolError && !isStreamEnded(error)) return 'answered with an error';
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType)
    return 'asks a question, which nobody can answer during a run';
  if (isStreamEnded(error)) return 'ended its response without a result';
  const isTimeout = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  if (isTimeout || causesOf(error).some(({ name }) => name === 'TimeoutError'))
    return 'did not answer in time';
  const failed = findCause(error, RequestFailed);
  if (failed === undefined) return 'did not answer, or sent an answer that cannot be read';
  return `${isUnsent(error) ? 'cannot be reached' : 'did not answer'} (${failed.message})`;
}

function isStreamEnded(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === streamEnded;
}

/** Returns true if no connection was made, so that no request was sent. */
export function isUnsent(error: unknown): boolean {
  return unsentCodes.has(findCause(error, RequestFailed)?.code);
}

const unsentCodes: ReadonlySet<string | undefined> = new Set(
  'ECONNREFUSED ENOTFOUND EHOSTUNREACH ENETUNREACH UND_ERR_CONNECT_TIMEOUT'.split(' '),
);

function findCause<Cause extends Error>(
  error: unknown,
  type: abstract new (...values: never[]) => Cause,
): Cause | undefined {
  return causesOf(error).find((cause): cause is Cause => cause instanceof type);
}
