import { ProtocolError } from '@modelcontextprotocol/client';
import type { McpSkillConfig } from '../../../config/config.ts';
import type { ToolContext } from '../tool.ts';
import { connect, type McpConnection } from './connection.ts';
import { isSessionEnded, isUnsent } from './failure.ts';

/** Thrown if there was no connection, so that nothing was sent. */
export class Unreachable extends Error {
  override name = 'Unreachable';
}

/**
 * The connection of a run to an MCP server, which may keep state in it, such as the page of a browser. It is opened by the
 * first call, and closed when this process stops executing the run.
 */
export interface McpSession {
  /** Opens the connection, unless it is open. Rejects with `Unreachable`. */
  readonly open: (until: AbortSignal) => Promise<void>;
  /**
   * Sends a call. If the server has ended the session, opens another connection and sends the call once more. Rejects
   * with `Unreachable`, or as the call does.
   */
  readonly send: <Result>(
    call: (connection: McpConnection) => Promise<Result>,
    until: AbortSignal,
  ) => Promise<Result>;
  /** Returns true, once, after the connection has replaced a used one. */
  readonly takeLostState: () => boolean;
}

type RunOfCall = Pick<ToolContext, 'resources' | 'earlierCalls'>;

/** Creates sessions with a server: one for each run that this process executes. */
export function createMcpSessions(server: McpSkillConfig): (run: RunOfCall) => McpSession {
  const sessions = new WeakMap<ToolContext['resources'], McpSession>();
  return ({ resources, earlierCalls }) => {
    const openSession = sessions.get(resources);
    if (openSession !== undefined) return openSession;
    // Calls of another process, or of this one before the run waited for approvals, were made in other sessions.
    const isUsed = earlierCalls.some((name) => name.startsWith(`${server.name}__`));
    const session = createSession(server, isUsed, resources);
    sessions.set(resources, session);
    return session;
  };
}

function createSession(
  server: McpSkillConfig,
  isUsedBefore: boolean,
  resources: ToolContext['resources'],
): McpSession {
  let connection: McpConnection | undefined;
  let isUsed = isUsedBefore;
  let isStateLost = false;
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
    // Without a session, a server keeps nothing from one call to the next.
    isStateLost ||= isUsed && connection.hasSession;
    return connection;
  };
  const sendOnce: McpSession['send'] = async (call, until) => {
    const opened = await open(until);
    opened.restartLimits();
    isUsed = true;
    try {
      return await call(opened);
    } catch (error) {
      // After any other failure the session may be lost, or still be busy with the call.
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
      const isLost = isStateLost;
      isStateLost = false;
      return isLost;
    },
  };
}
