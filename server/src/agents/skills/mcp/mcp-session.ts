import { ProtocolError } from '@modelcontextprotocol/client';
import type { McpSkillConfig } from '../../../config/config.ts';
import type { ToolContext } from '../tool.ts';
import { connect, type McpConnection } from './connection.ts';
import { isSessionEnded, isUnsent } from './failure.ts';

/** Thrown if there is no connection, so that nothing was sent. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/**
 * A run's connection to an MCP server. The server may keep state in it, such as a page of a browser. The first call
 * opens the connection, and it is closed when this process stops executing the run.
 */
export interface McpSession {
  /** Opens the connection, unless it is open. Rejects with `Unreachable`. */
  readonly open: (until: AbortSignal) => Promise<void>;
  /**
   * Sends a call. If the server has ended the session, opens a new connection and sends the call again. Rejects with
   * `Unreachable`, or with the error of the call.
   */
  readonly send: <Result>(
    call: (connection: McpConnection) => Promise<Result>,
    until: AbortSignal,
  ) => Promise<Result>;
  /** Returns true if a connection that was in use has been replaced since the last time it returned true. */
  readonly takeLostState: () => boolean;
}

type RunOfCall = Pick<ToolContext, 'resources' | 'earlierCalls'>;

/** Returns a function that creates a session with the server for each run that this process executes. */
export function createMcpSessions(server: McpSkillConfig): (run: RunOfCall) => McpSession {
  const sessions = new WeakMap<ToolContext['resources'], McpSession>();
  return ({ resources, earlierCalls }) => {
    const openSession = sessions.get(resources);
    if (openSession !== undefined) return openSession;
    // Calls in another process, or before the run waited for approvals, used another session.
    const hasEarlierSession = earlierCalls.some((name) => name.startsWith(`${server.name}__`));
    const session = createSession(server, hasEarlierSession ? 'kept' : 'none', resources);
    sessions.set(resources, session);
    return session;
  };
}

/** The state that the server may keep for the run: none before the first call, and lost with its connection. */
type ServerState = 'none' | 'kept' | 'lost';

function createSession(
  server: McpSkillConfig,
  stateBefore: ServerState,
  resources: ToolContext['resources'],
): McpSession {
  let connection: McpConnection | undefined;
  let state = stateBefore;
  const close = async (): Promise<void> => {
    const closed = connection;
    connection = undefined;
    await closed?.close();
  };
  resources.defer(close);
  const open = async (until: AbortSignal): Promise<McpConnection> => {
    if (connection?.signal.aborted === true) void close();
    if (connection !== undefined) return connection;
    connection = await connect(server, until).catch((error: unknown) => {
      throw new Unreachable('No connection could be opened.', { cause: error });
    });
    // A server without a session keeps no state between calls.
    if (state === 'kept' && connection.hasSession) state = 'lost';
    return connection;
  };
  const sendOnce: McpSession['send'] = async (call, until) => {
    const opened = await open(until);
    opened.restartLimits();
    if (state === 'none') state = 'kept';
    try {
      return await call(opened);
    } catch (error) {
      // After any other failure, the session may be lost or still busy with the call.
      if (!(error instanceof ProtocolError)) void close();
      if (isUnsent(error)) throw new Unreachable('The call could not be sent.', { cause: error });
      throw error;
    }
  };
  return {
    open: async (until) => {
      await open(until);
    },
    send: async (call, until) => {
      const hadSession = connection?.hasSession === true;
      try {
        return await sendOnce(call, until);
      } catch (error) {
        if (!hadSession || !isSessionEnded(error)) throw error;
        return sendOnce(call, until);
      }
    },
    takeLostState: () => {
      if (state !== 'lost') return false;
      state = 'kept';
      return true;
    },
  };
}
