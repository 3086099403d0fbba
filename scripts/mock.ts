/**
 * Serves the contract with Prism, for work on a user interface: `npm run mock -- --port 4110 --host 0.0.0.0`. The
 * server's own code receives and validates requests, and draws charts. mock.md of the SDK lists the states and errors.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import koaCors from '@koa/cors';
import { createLogger } from '@stoplight/prism-core';
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpMockConfig,
  type IHttpResponse,
} from '@stoplight/prism-http';
import Koa, { type Context } from 'koa';
import { selectionOf } from '../sdk/src/mock-example.ts';
import { streamOf } from '../sdk/src/mock-stream.ts';
import { openContract } from '../server/src/contract/contract.ts';
import type { OperationId, Request } from '../server/src/contract/operation.ts';
import { operations } from '../server/src/contract/registry.ts';
import type { Route } from '../server/src/contract/router.ts';
import type { ContractOperation } from '../server/src/contract/schema.ts';
import { admission } from '../server/src/http/admission.ts';
import { callerOf } from '../server/src/http/request/bearer.ts';
import { receive } from '../server/src/http/request/body.ts';
import { checkHead } from '../server/src/http/request/check-head.ts';
import { HttpRequestContext } from '../server/src/http/request/request-context.ts';
import { requestIdFrom, type RequestState } from '../server/src/http/request/request-state.ts';
import { errorHandler } from '../server/src/http/response/error-handler.ts';
import { sendResponse } from '../server/src/http/response/send-response.ts';
import { serveOperations } from '../server/src/http/serve-operations.ts';
import { describeOperations } from '../server/src/http/served-operation.ts';
import { FairLimit } from '../server/src/limits/fair-limit.ts';
import { RenderPool } from '../server/src/viz/render-pool.ts';
import { drawMock } from './mock/picture.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4010' }, host: { type: 'string', default: '127.0.0.1' } },
});
const { port, host } = values;
const caller = { id: 'alice', name: 'Alice' };
const contract = await openContract(operations);
const served = describeOperations(contract);
const waiting = new FairLimit(50, 'chart_queue_length');
const renderPool = new RenderPool({ workers: 1, waiting, onExit: console.error, onMissing: () => undefined });
const services = { renderPool, linkKey: randomUUID(), publicUrl: undefined };
const resources = await getHttpOperationsFromSpec(drawMock());
const config: IHttpMockConfig = {
  isProxy: false,
  upstreamProxy: undefined,
  // The server's code has checked the request.
  validateRequest: false,
  checkSecurity: false,
  validateResponse: false,
  errors: false,
  mock: { dynamic: false },
};
const prism = createInstance(config, { logger: createLogger('mock', { level: 'silent' }) });

const unlimited = new FairLimit(Infinity, 'http_requests_in_flight');
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
const server = createServer(handle).on('checkContinue', handle);
server.once('error', (error) => {
  console.error(`The mock cannot listen on ${host}:${port}: ${error.message}. Choose another --port.`);
  process.exit(1);
});
server.listen(Number(port), host, () => {
  // The cast holds because a server that listens on a host and port has an AddressInfo.
  const { address, port: taken } = server.address() as AddressInfo;
  console.log(
    `The mock is ready at http://${address}:${taken}. It accepts any token; sdk/mock.md lists what to send.`,
  );
});

async function respond(ctx: Context, { operation, path }: Route): Promise<void> {
  const { place } = ctx.state as RequestState;
  const { id, handle: draw, jsonLimits, representations, ...checks } = served[operation.operationId];
  await callerOf(ctx, operation, () => Promise.resolve(caller));
  const parse = await receive(ctx, operation, jsonLimits, place);
  const parts = contract.validate(id, { path, ...parse() }, checks);
  const context = new HttpRequestContext(ctx);
  const cursor = ctx.query['cursor'] === undefined ? null : String(ctx.query['cursor']);
  const selection = selectionOf(operation, ctx.get('Prefer'), ctx.get('Accept'), cursor);
  // Prism cannot send bytes, and its chart is always the same.
  if (/^render|Chart$/.test(id) && selection.status === 200) {
    // The cast is safe, because the contract has validated the parts.
    const request = { caller, ...parts } as unknown as Request<OperationId>;
    sendResponse(ctx, place, await draw(request, services, context), representations);
    return;
  }
  const mediaType = context.acceptsEventStream ? 'text/event-stream' : 'application/json';
  const { statusCode, headers, body } = await askPrism(operation, mediaType, selection);
  ctx.status = statusCode;
  ctx.set({ ...headers, ...selection.headers });
  if (ctx.type === 'application/json') ctx.type = 'json';
  const position = { path: operation.path, lastEventId: ctx.get('Last-Event-ID'), until: ctx.query['until'] };
  if (ctx.type === 'text/event-stream') ctx.body = Readable.fromWeb(streamOf(String(body), position));
  else ctx.body = body === undefined ? null : JSON.stringify(body);
}

/** The selected example of an operation; its first example if it has none with this name. */
async function askPrism(
  { method, path }: ContractOperation,
  mediaType: string,
  { status: code, name }: ReturnType<typeof selectionOf>,
): Promise<IHttpResponse> {
  const input = { method: method as 'get', url: { path } };
  const mediaTypes = [mediaType, 'application/*'];
  for (const exampleKey of [name, '']) {
    const mock = { ...config.mock, code, exampleKey, mediaTypes };
    const answered = await prism.request(input, resources, { ...config, mock })();
    if (answered._tag === 'Right') return answered.right.output;
  }
  throw new Error(`Prism has no response with ${code} for ${method} ${path}.`);
}
