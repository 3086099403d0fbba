/**
 * Serves the contract with Prism, for work on a user interface: `npm run mock -- --port 4110 --host 0.0.0.0`. The
 * server's own code receives and validates requests, and draws charts. sdk/mock.md lists what a request can select.
 */
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import koaCors from '@koa/cors';
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createClientFromOperations } from '@stoplight/prism-http/dist/client.js';
import Koa, { type Context } from 'koa';
import { selectionOf } from '../sdk/src/mock-example.ts';
import { streamOf } from '../sdk/src/mock-stream.ts';
import { openContract } from '../server/src/contract/contract.ts';
import type { OperationId, Request } from '../server/src/contract/operation.ts';
import { operations } from '../server/src/contract/registry.ts';
import type { Route } from '../server/src/contract/router.ts';
import { admission } from '../server/src/http/place.ts';
import { callerOf } from '../server/src/http/request/bearer.ts';
import { receive } from '../server/src/http/request/body.ts';
import { checkHead } from '../server/src/http/request/check-head.ts';
import { HttpRequestContext } from '../server/src/http/request/request-context.ts';
import { requestIdFrom, type RequestState } from '../server/src/http/request/request-state.ts';
import { errorHandler } from '../server/src/http/response/error-handler.ts';
import { sendResponse } from '../server/src/http/response/send-response.ts';
import { serveOperations } from '../server/src/http/routes.ts';
import { FairLimit } from '../server/src/limits/fair-limit.ts';
import { RenderPool } from '../server/src/viz/render-pool.ts';
import { mockDocument } from './mock-document.ts';

const { values: options } = parseArgs({
  options: { port: { type: 'string', default: '4010' }, host: { type: 'string', default: '127.0.0.1' } },
});
const caller = { id: 'alice', name: 'Alice' };
const contract = await openContract(operations);
const limit = new FairLimit(50, 'chart_queue_length');
const renderPool = new RenderPool(1, limit, console.error);
const services = { renderPool, linkKey: randomUUID(), publicUrl: undefined };
const prism = createClientFromOperations(await getHttpOperationsFromSpec(mockDocument()), {
  isProxy: false,
  upstreamProxy: undefined,
  // The server's code has checked the request.
  validateRequest: false,
  checkSecurity: false,
  validateResponse: false,
  errors: false,
  mock: { dynamic: false },
  logger: createLogger('mock', { level: 'silent' }),
});

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
app.use(admission({ places: unlimited, bytes: unlimited, longRequests: unlimited }));
app.use(errorHandler(operations));
app.use(checkHead);
app.use(serveOperations(contract, { respond }));
const server = app.listen(Number(options.port), options.host, () => {
  // The cast holds because a server that listens on a host and port has an AddressInfo.
  const { address, port } = server.address() as AddressInfo;
  console.log(`The mock is ready at http://${address}:${port}. It accepts any token; see sdk/mock.md.`);
});
server.on('checkContinue', app.callback() as RequestListener);
server.once('error', ({ message }) => {
  console.error(`The mock cannot listen: ${message}. Choose another --port.`);
  process.exit(1);
});

async function respond(ctx: Context, { operation: id, path }: Route): Promise<void> {
  const { place } = ctx.state as RequestState;
  const operation = contract.operation(id);
  await callerOf(ctx, operation, () => Promise.resolve(caller));
  const parse = await receive(ctx, operation, place);
  const parts = contract.validate(id, { path, ...parse() });
  const context = new HttpRequestContext(ctx);
  const { cursor = null, until } = ctx.query;
  const selected = selectionOf(operation, ctx.get('Prefer'), ctx.get('Accept'), cursor);
  // Prism cannot send bytes, and always sends the same chart.
  if (/^render|Chart$/.test(id) && selected.status === 200) {
    // The cast is safe, because the contract has validated the parts.
    const request = { caller, ...parts } as unknown as Request<OperationId>;
    sendResponse(ctx, place, await operation.handle(request, services, context));
    return;
  }
  const mediaTypes = [context.acceptsEventStream ? 'text/event-stream' : 'application/json', 'application/*'];
  const example = { dynamic: false, code: selected.status, mediaTypes };
  const input = { method: operation.method as 'get' };
  const ask = (exampleKey: string): ReturnType<typeof prism.request> =>
    prism.request(operation.path, input, { mock: { ...example, exampleKey } });
  // If no example has this name, Prism sends the first example.
  const response = await ask(selected.name).catch(() => ask(''));
  ctx.status = response.status;
  ctx.set({ ...response.headers, ...selected.headers });
  if (ctx.type === 'application/json') ctx.type = 'json';
  const position = { path: operation.path, lastEventId: ctx.get('Last-Event-ID'), until };
  const { data } = response;
  if (ctx.type === 'text/event-stream') ctx.body = Readable.fromWeb(streamOf(String(data), position));
  else ctx.body = data === undefined ? null : JSON.stringify(data);
}
