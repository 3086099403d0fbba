import { createServer, type RequestListener, type Server } from 'node:http';
import { Readable } from 'node:stream';
import koaCors from '@koa/cors';
import { createLogger } from '@stoplight/prism-core';
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpOperationConfig,
  type IHttpRequest,
  type IHttpResponse,
} from '@stoplight/prism-http';
import Koa, { type Context } from 'koa';
import { streamOf } from '../../sdk/src/mock-example.ts';
import { openContract } from '../../server/src/contract/contract.ts';
import type { Route } from '../../server/src/contract/router.ts';
import { admission } from '../../server/src/http/admission.ts';
import { checkHead } from '../../server/src/http/request/check-head.ts';
import { serveOperations } from '../../server/src/http/serve-operations.ts';
import { callerOf } from '../../server/src/http/request/bearer.ts';
import { receiveBody } from '../../server/src/http/request/body.ts';
import { requestIdFrom, type RequestState } from '../../server/src/http/request/request-state.ts';
import { errorHandler } from '../../server/src/http/response/error-handler.ts';
import { sendResponse, type AnyRepresentations } from '../../server/src/http/response/send-response.ts';
import { HttpRequestContext } from '../../server/src/http/request/request-context.ts';
import { FairLimit } from '../../server/src/limits/fair-limit.ts';
import type { Request, OperationId } from '../../server/src/contract/operation.ts';
import { operations } from '../../server/src/contract/registry.ts';
import { chartLimits, type VizServices } from '../../server/src/viz/handlers.ts';
import { drawMock } from './picture.ts';

const caller = { id: 'alice', name: 'Alice' };
const checks = { validateRequest: true, validateResponse: false, checkSecurity: false, errors: false };

/** Prism, behind the server's code for paths, tokens, bodies and charts. `services` are what charts need. */
export async function createMockServer(services: VizServices): Promise<Server> {
  const contract = await openContract(operations);
  const unlimited = new FairLimit(Infinity, 'http_requests_in_flight');
  const ask = await startPrism();
  const respond = async (ctx: Context, route: Route): Promise<void> => {
    const { operationId: id, requestBody } = route.operation;
    await callerOf(ctx, route.operation, () => Promise.resolve(caller));
    const { place } = ctx.state as RequestState;
    const body = requestBody && (await receiveBody(ctx, place))(chartLimits);
    // The server's own code draws charts: Prism cannot send bytes, and its chart is always the same.
    const isDrawn = /^render|Chart$/.test(id) && [undefined, '200'].includes(statusOf(ctx, route));
    if (!isDrawn) {
      answer(ctx, route, await choose(ctx, route, body, ask));
      return;
    }
    const call = { caller, ...contract.validate(id, { path: route.path, body }) };
    const request = call as unknown as Request<OperationId>;
    const drawn = await contract.handlerOf(id)(request, services, new HttpRequestContext(ctx));
    const { representations } = operations[id] as { readonly representations?: AnyRepresentations };
    sendResponse(ctx, place, drawn, representations);
  };
  const app = new Koa<RequestState>();
  // Koa would print an error for each client that leaves a stream.
  app.silent = true;
  app.use(async (ctx, next) => {
    ctx.state.requestId = requestIdFrom(ctx.get('X-Request-Id'));
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
  });
  app.use(koaCors({ exposeHeaders: '*' }));
  app.use(admission({ places: unlimited, bytes: unlimited, eventStreams: unlimited }));
  app.use(errorHandler(operations));
  app.use(checkHead(undefined));
  app.use(serveOperations(contract, { respond }));
  const handle = app.callback() as RequestListener;
  return createServer(handle).on('checkContinue', handle);
}

/** Resolves to the response of an operation that the options select; undefined if there is none. */
type Ask = (
  input: IHttpRequest,
  options?: Partial<IHttpOperationConfig>,
) => Promise<IHttpResponse | undefined>;

async function startPrism(): Promise<Ask> {
  const resources = await getHttpOperationsFromSpec(drawMock());
  const config = { ...checks, isProxy: false, upstreamProxy: undefined, mock: { dynamic: false } } as const;
  const prism = createInstance(config, { logger: createLogger('mock', { level: 'silent' }) });
  return async (input, options) => {
    const answered = await prism.request(input, resources, {
      ...config,
      mock: { ...config.mock, ...options },
    })();
    return answered._tag === 'Right' ? answered.right.output : undefined;
  };
}

function inputOf({ headers, query, path }: Context, { operation }: Route, body: unknown): IHttpRequest {
  // `choose` reads `Accept` and `Prefer`. They are left out here, because Prism fails if it cannot parse them.
  const { accept: _, prefer: __, ...others } = headers as Record<string, string>;
  const url = { path: path.replace(/\/+$/, ''), query: { ...query } as Record<string, string | string[]> };
  return { method: operation.method as 'get', url, headers: others, body };
}

/** The status that `Prefer` selects; undefined if the operation lacks it. */
function statusOf(ctx: Context, { operation: { responses } }: Route): string | undefined {
  const [, code = ''] = /\bcode="?(\d{3})\b/.exec(ctx.get('Prefer')) ?? [];
  return code in responses ? code : undefined;
}

/** The response that `Prefer`, `Accept` and `cursor` select. Names and statuses that an operation lacks are ignored. */
async function choose(ctx: Context, route: Route, body: unknown, ask: Ask): Promise<IHttpResponse> {
  const input = inputOf(ctx, route, body);
  const prefer = ctx.get('Prefer');
  const isStream = ctx.get('Accept').includes('text/event-stream');
  const isAsync = '202' in route.operation.responses && /\brespond-async\b/.test(prefer) && !isStream;
  const code = statusOf(ctx, route) ?? (isAsync ? '202' : undefined);
  // Every cursor leads to the last page.
  const [, exampleKey] = ('cursor' in ctx.query ? null : /\bexample="?([\w-]+)/.exec(prefer)) ?? [];
  const selected = {
    ...(code !== undefined && { code: Number(code) }),
    ...(isStream && { mediaTypes: ['text/event-stream', 'application/problem+json'] }),
  };
  const response =
    (exampleKey && (await ask(input, { ...selected, exampleKey }))) || (await ask(input, selected));
  if (!response) throw new Error('Prism has no response.');
  const headers = {
    ...response.headers,
    ...(isAsync && response.statusCode === 202 && { 'Preference-Applied': 'respond-async' }),
    ...(exampleKey === 'many' && { Link: `<${ctx.path}?cursor=next>; rel="next"` }),
  };
  return { ...response, headers };
}

function answer(ctx: Context, { operation: { path } }: Route, response: IHttpResponse): void {
  const { statusCode, headers = {}, body } = response;
  ctx.status = statusCode;
  ctx.set(headers);
  if (ctx.type === 'application/json') ctx.type = 'json';
  const request = {
    path,
    headerOf: (name: string) => ctx.get(name),
    queryOf: (name: string) => String(ctx.query[name]),
  };
  if (ctx.response.is('text/event-stream') !== false)
    ctx.body = Readable.fromWeb(streamOf(String(body), request));
  else ctx.body = body === undefined ? null : JSON.stringify(body);
}
