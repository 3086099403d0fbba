import { isDeepStrictEqual } from 'node:util';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context } from 'koa';
import type { Config } from '../../config/config.ts';
import document from '../../generated/openapi.json' with { type: 'json' };
import { Problem } from '../../contract/problem.ts';
import { countValues, isObject } from '../../lib/json.ts';
import { bodyLimits } from '../../lib/json-limits.ts';
import { chartLimits } from '../../viz/handlers.ts';
import { answerOnly, reading, type Pages } from '../routes.ts';
import type { PipelineOptions } from '../pipeline.ts';
import { authenticate } from '../request/bearer.ts';
import { receiveBody } from '../request/body.ts';
import type { RequestState } from '../request/request-state.ts';
import { allowsOrigin } from '../response/cors.ts';
import { countContent } from '../response/send-response.ts';
import type { CreateServer } from './tool-server.ts';
import { sendWebResponse, webRequest } from './web-messages.ts';

const path = '/mcp';

/**
 * The Model Context Protocol over HTTP, in the revisions 2026-07-28 and 2025-11-25. There are no sessions, so any
 * server can answer any request.
 */
export function mcp(config: Config, createServer: CreateServer, { verify, queue }: PipelineOptions): Pages {
  const { corsOrigins, publicUrl } = config;
  const origins = publicUrl === undefined ? corsOrigins : [...corsOrigins, publicUrl];
  const metadata = resourceMetadata(config);
  // Each request has a handler of its own, whose protocol server knows the caller.
  const handle = (ctx: Context, message: unknown): Promise<Response> =>
    createMcpHandler(() => createServer(ctx)).fetch(webRequest(ctx), { parsedBody: message });
  const answer = async (ctx: Context): Promise<void> => {
    const state = ctx.state as RequestState;
    const { place } = state;
    state.resourceMetadataUrl = metadata?.url;
    assertOrigin(ctx.get('Origin'), origins);
    const caller = await authenticate(ctx, verify);
    await place.admit(caller.id);
    const parse = await receiveBody(ctx, messageLimits, place);
    const read = (): unknown => {
      const message = parse();
      assertMessage(message);
      dropNulls(message);
      return message;
    };
    const message = await queue.run(caller.id, () => Promise.try(read));
    // A call of a tool waits for a turn of its own, in `execute`.
    await sendWebResponse(ctx, await queue.measure(caller.id, () => handle(ctx, message)));
    countContent(ctx, place, ctx.body);
  };
  // There are no sessions, so there is no GET, which opens a session's stream, and no DELETE, which ends a session.
  const page = (ctx: Context): Promise<void> => answerOnly(['POST'], ctx, () => answer(ctx));
  // Some programs append a slash.
  return { [path]: page, [`${path}/`]: page, ...metadata?.pages };
}

const metadataPath = `/.well-known/oauth-protected-resource${path}`;

/**
 * The address and the page of the OAuth 2.0 Protected Resource Metadata (RFC 9728). Everyone may read the page, which
 * names the issuer of tokens for `/mcp`. Undefined unless both the address of this server and the issuer are configured.
 */
function resourceMetadata({
  publicUrl,
  mcpScopes,
  tokens: { issuer },
}: Config): { readonly url: string; readonly pages: Pages } | undefined {
  if (publicUrl === undefined || issuer === undefined) return undefined;
  const metadata = JSON.stringify({
    resource: `${publicUrl}${path}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(mcpScopes.length > 0 && { scopes_supported: mcpScopes }),
    resource_name: document.info.title,
  });
  const answer = (ctx: Context): Promise<void> =>
    answerOnly(reading, ctx, () => {
      ctx.body = metadata;
      ctx.type = 'application/json';
    });
  return { url: publicUrl + metadataPath, pages: { [metadataPath]: answer } };
}

// The larger limit of values, because the message may call a tool that draws a chart.
const messageLimits = { ...bodyLimits, valuesMax: chartLimits.valuesMax };

const valuesMax = 500;

/**
 * Refuses a batch, and a message that is too large for the MCP package. A request has only one message, so that the
 * limits on requests also limit tool calls. The package creates an error for each wrong array entry, and copies objects
 * key by key: a body of 1 MiB can cause 150 MB of errors. Values inside arguments do not count here, because the
 * contract limits them.
 */
function assertMessage(message: unknown): void {
  if (Array.isArray(message))
    throw new Problem(
      'Bad Request',
      'Send one message in each request: batches are not part of the protocol since its revision 2025-06-18.',
    );
  const { params } = Object(message) as { readonly params?: unknown };
  const { arguments: toolArguments } = Object(params) as { readonly arguments?: unknown };
  const inArguments = isObject(toolArguments) ? Object.values(toolArguments) : [];
  const values = inArguments.reduce<number>(
    (count, argument) => count - countValues(argument) + 1,
    countValues(message),
  );
  if (values > valuesMax)
    throw new Problem(
      'Bad Request',
      `The message has more than ${valuesMax} JSON values, not counting those inside arguments. Send fewer.`,
    );
}

/** Removes nulls except the id and those inside arguments, and the empty list that PHP sends for no arguments. */
function dropNulls(message: unknown): void {
  if (!isObject(message) || Array.isArray(message)) return;
  for (const [name, member] of Object.entries(message))
    if (member === null ? name !== 'id' : name === 'arguments' && isDeepStrictEqual(member, []))
      Reflect.deleteProperty(message, name);
    else if (name !== 'arguments') dropNulls(member);
}

/**
 * Protects against DNS rebinding: a page of another site must not reach a server on the visitor's machine, even with a
 * stolen token.
 */
function assertOrigin(origin: string, allowed: readonly string[]): void {
  if (origin === '' || allowsOrigin(allowed, origin)) return;
  throw new Problem(
    'Access denied',
    'Pages of this origin may not use this server. Its operator can allow them with CORS_ORIGINS.',
  );
}
