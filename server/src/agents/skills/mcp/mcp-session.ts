import { ProtocolError, SdkHttpError } from '@modelcontextprotocol/client';
import type { McpSkillConfig } from '../../../config/config.ts';
import type { ToolContext } from '../tool.ts';
import { connect, type McpConnection } from './connection.ts';
import { describeFailure, wordsOf } from './failure.ts';

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
    if (this.#connection?.limits.signal.aborted === true) void this.#close();
    return (this.#connection ??= await connect(this.server, until));
  }

  /** Sends a call. If the server has ended the session, opens a new connection and sends the call again. */
  async send<Result>(
    call: (connection: McpConnection) => Promise<Result>,
    until: AbortSignal,
    canEnd = this.#connection?.hasSession === true,
  ): Promise<Result> {
    const connection = await this.open(until);
    connection.limits.restart();
    try {
      return await call(connection);
    } catch (cause) {
      if (cause instanceof ProtocolError) throw cause;
      const status = cause instanceof SdkHttpError ? cause.status : undefined;
      if (status !== undefined && !(await isEnded(connection, cause))) throw cause;
      // Without a response, the session may be busy with the call.
      void this.#close();
      // The call is sent again only if its session had ended, because the server has then not read the call.
      if (!canEnd || (status !== 400 && status !== 404)) throw cause;
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

/**
 * Resolves to true if the connection has no session, or if the server refuses a ping as it has refused the call. An
 * ended session refuses every request. After another answer to the ping, the call may have taken effect.
 */
async function isEnded({ client, hasSession }: McpConnection, refusal: unknown): Promise<boolean> {
  if (!hasSession) return true;
  const failure: unknown = await client.ping({ timeout: pingMs }).catch((error: unknown) => error);
  const isAlike =
    describeFailure(failure) === describeFailure(refusal) && wordsOf(failure) === wordsOf(refusal);
  return failure instanceof SdkHttpError && isAlike;
}
