import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import type { McpSkillConfig } from '../../../config/config.ts';
import type { ToolContext } from '../tool.ts';
import { connect, type McpConnection } from './connection.ts';
import { isSessionEnded } from './failure.ts';

/**
 * A run's connection to an MCP server, which may keep state for it, such as a page of a browser. The first call opens
 * the connection. It is closed when this process stops executing the run.
 */
export class McpSession {
  readonly server: McpSkillConfig;
  #connection: McpConnection | undefined;

  constructor(server: McpSkillConfig, { resources }: ToolContext) {
    this.server = server;
    resources.defer(() => this.#close());
  }

  /** Opens the connection, unless it is open. */
  async open(until: AbortSignal): Promise<McpConnection> {
    if (this.#connection?.signal.aborted === true) void this.#close();
    if (this.#connection !== undefined) return this.#connection;
    return (this.#connection = await connect(this.server, until));
  }

  /** Sends a call. If the server has ended the session, opens a new connection and sends the call again. */
  async send<Result>(
    call: (connection: McpConnection) => Promise<Result>,
    until: AbortSignal,
    canEnd = this.#connection?.hasSession === true,
  ): Promise<Result> {
    const connection = await this.open(until);
    connection.restartLimits();
    try {
      return await call(connection);
    } catch (cause) {
      // Without a response, or if the server no longer answers in the session, it may be lost or still busy with the call.
      const isAnswered = cause instanceof SdkHttpError && (await isAlive(connection));
      if (!isAnswered && !(cause instanceof ProtocolError)) void this.#close();
      if (!canEnd || !isSessionEnded(cause)) throw cause;
      return await this.send(call, until, false);
    }
  }

  async #close(): Promise<void> {
    const closed = this.#connection;
    this.#connection = undefined;
    await closed?.close();
  }
}

const pingMs = 2000;

/** Resolves to true if the server still has the session of a connection. */
async function isAlive({ client, hasSession }: McpConnection): Promise<boolean> {
  const pong = hasSession && (await client.ping({ timeout: pingMs }).catch(() => false));
  return pong !== false;
}
