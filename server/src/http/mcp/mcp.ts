import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import type { VerifyToken } from '../../auth/tokens.ts';
import { Problem } from '../../errors.ts';
import type { FairLimit } from '../../limits/fair-limit.ts';
import type { FairQueue } from '../../limits/fair-queue.ts';
import { chartValuesMax } from '../../viz/handlers.ts';
import { authenticate } from '../request/bearer.ts';
import type { ReceiveBody } from '../request/body.ts';
import { disconnectionOf } from '../request/disconnection.ts';
import type { RequestState } from '../request/request-state.ts';
import { allowsOrigin } from '../response/cors.ts';
import { problemFrom } from '../response/error-handler.ts';
import { holdResponse } from '../response/send-response.ts';
import { assertMessageSize } from './message-size.ts';
import { allowedMethods, idOf, noBatches, sendProblem } from './protocol-errors.ts';
import type { CreateServer } from './tool-server.ts';
import { isCall, isSubscription, sendWebResponse, webRequest } from './web-messages.ts';

export const mcpPath = '/mcp';

/** Returns true for the path of the endpoint. Some programs append a slash. */
export function isMcpPath(path: string): boolean {
  return path === mcpPath || path === `${mcpPath}/`;
}

interface McpOptions {
  readonly createServer: CreateServer;
  readonly verify: VerifyToken;
  readonly receiveBody: ReceiveBody;
  readonly queue: FairQueue;
  /** The memory of responses that clients have not read yet. */
  readonly responses: FairLimit;
  /** The origins of pages that may use the endpoint. */
  readonly corsOrigins: readonly string[];
  /** The address of the metadata that name the issuer of tokens (RFC 9728); undefined if the issuer is not configured. */
  readonly resourceMetadataUrl: string | undefined;
  readonly logger: Logger;
}

/**
 * The Model Context Protocol over HTTP, in the revisions 2026-07-28 and 2025-11-25. There are no sessions, so any
 * server can answer any request.
 */
export function mcp({
  createServer,
  logger,
  resourceMetadataUrl,
  ...options
}: McpOptions): Middleware<RequestState> {
  const admit = createAdmission(options);
  const handle = createHandler(createServer, logger);
  const inTurn = <Result>({ state, res }: Context, work: () => Promise<Result>): Promise<Result> => {
    const { caller } = state as RequestState;
    return options.queue.run(caller?.id ?? '', { disconnected: disconnectionOf(res) }, work);
  };
  return async (ctx, next) => {
    if (!isMcpPath(ctx.path)) {
      await next();
      return;
    }
    if (ctx.method === 'OPTIONS') {
      ctx.set('Allow', allowedMethods);
      ctx.status = 204;
      return;
    }
    let body: unknown;
    try {
      body = await admit(ctx);
      assertMessage(body);
      const respond = async (): Promise<void> =>
        sendWebResponse(ctx, await handle(ctx, body), isSubscription(body));
      // A tool call waits for its turn later, as a request for its operation.
      await (isCall(body) ? respond() : inTurn(ctx, respond));
      holdResponse(options.responses, ctx, ctx.body);
    } catch (error) {
      ctx.state.error = error;
      sendProblem(ctx, problemFrom(error), { id: idOf(body), resourceMetadataUrl });
    }
  };
}

/** Each message has a protocol server of its own. */
function createHandler(
  createServer: CreateServer,
  logger: Logger,
): (ctx: Context, body: unknown) => Promise<Response> {
  const contexts = new WeakMap<Request, Context>();
  const onerror = (err: Error): void => {
    logger.debug({ err }, 'a request of MCP was refused');
  };
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const ctx = requestInfo && contexts.get(requestInfo);
      if (ctx === undefined)
        throw new Error('A server is made only for a request that was given to the handler.');
      return createServer(ctx);
    },
    { onerror },
  );
  return (ctx, body) => {
    const request = webRequest(ctx);
    contexts.set(request, ctx);
    return handler.fetch(request, { parsedBody: body });
  };
}

type AdmissionOptions = Omit<McpOptions, 'createServer' | 'logger' | 'resourceMetadataUrl'>;

/** Checks the origin and then takes the first steps of `handleRequest`, up to the body. Resolves to the body. */
function createAdmission(options: AdmissionOptions): (ctx: Context) => Promise<unknown> {
  const { verify, receiveBody, responses, corsOrigins } = options;
  return async (ctx) => {
    requireOrigin(ctx.get('Origin'), corsOrigins);
    const caller = await authenticate(ctx, verify);
    (ctx.state as RequestState).caller = caller;
    responses.assertRoom(caller.id);
    if (ctx.method !== 'POST') throw new Problem('Method not allowed');
    // The larger limit, because the message may call a tool that draws a chart.
    const parse = await receiveBody(ctx, caller.id);
    return parse(chartValuesMax);
  };
}

function assertMessage(message: unknown): void {
  if (Array.isArray(message)) throw noBatches;
  assertMessageSize(message);
}

/**
 * Protects against DNS rebinding: a page of another site must not reach a server on the visitor's machine, even with a
 * stolen token.
 */
function requireOrigin(origin: string, allowed: readonly string[]): void {
  if (origin === '' || allowsOrigin(allowed, origin)) return;
  throw new Problem(
    'Access denied',
    'Pages of this origin may not use this server. Its operator can allow them with CORS_ORIGINS.',
  );
}
