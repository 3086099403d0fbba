import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import koaCors from '@koa/cors';
import Koa, { type Context, type Next } from 'koa';
import {
  eventsFor,
  findExample,
  staysOpen,
  type MockDocument,
  type MockRequest,
} from '../../sdk/src/mock-example.ts';
import { openContract, type Contract } from '../../server/src/contract/contract.ts';
import { Problem } from '../../server/src/errors.ts';
import { noTurn } from '../../server/src/contract/in-process-client.ts';
import { parseQuery } from '../../server/src/contract/query.ts';
import { Admission } from '../../server/src/http/admission.ts';
import { describeOperations } from '../../server/src/http/served-operation.ts';
import type { Pipeline } from '../../server/src/http/pipeline.ts';
import type { HttpResponse } from '../../server/src/http/response/http-response.ts';
import { HttpResponseContext } from '../../server/src/http/response/response-context.ts';
import { sendResponse } from '../../server/src/http/response/send-response.ts';
import { createConnectionErrors } from '../../server/src/http/listener/connection-errors.ts';
import { originForm } from '../../server/src/http/listener/listener.ts';
import { serveOperations } from '../../server/src/http/operations.ts';
import { callerOf } from '../../server/src/http/request/bearer.ts';
import { receiveBody } from '../../server/src/http/request/body.ts';
import { requestIdFrom, type RequestState } from '../../server/src/http/request/request-state.ts';
import { errorHandler } from '../../server/src/http/response/error-handler.ts';
import { createRawProblems } from '../../server/src/http/response/raw-problem.ts';
import { FairLimit } from '../../server/src/limits/fair-limit.ts';
import type {
  Call,
  EventStream,
  OperationId,
  RequestParts,
  ResponseContext,
  Schemas,
} from '../../server/src/operation.ts';
import { operations } from '../../server/src/operations.ts';
import type { VizServices } from '../../server/src/viz/handlers.ts';

interface MockOptions {
  /** The contract as in mock.json. */
  readonly document: MockDocument;
  /** What the server's own operations need to draw charts. */
  readonly services: VizServices;
}

const caller = { id: 'alice', name: 'Alice' };

/** The server's HTTP layer with other answers: charts are drawn, and everything else comes from the examples. */
export async function createMockServer(options: MockOptions): Promise<Server> {
  const contract = await openContract(operations);
  const unlimited = new FairLimit(Infinity, 'http_requests_in_flight');
  const admission = new Admission({ places: unlimited, bytes: unlimited, eventStreams: unlimited });
  const app = new Koa<RequestState>();
  // Koa would print an error for each client that leaves a stream.
  app.silent = true;
  app.use(identify);
  app.use(koaCors({ exposeHeaders: '*' }));
  app.use(errorHandler(operations, admission));
  app.use(serveOperations(contract, { respond: answerByExamples(contract, options, admission) }));
  return listenerOf(app.callback());
}

/** Gives a request an id, as the access log of the server does. */
async function identify(ctx: Context, next: Next): Promise<void> {
  const requestId = requestIdFrom(ctx.get('X-Request-Id'));
  (ctx.state as RequestState).requestId = requestId;
  ctx.set('X-Request-Id', requestId);
  await next();
}

/** The steps of `http/pipeline`, without limits and without a database. */
function answerByExamples(
  contract: Contract,
  options: MockOptions,
  admission: Admission,
): Pipeline['respond'] {
  const find = describeOperations(contract, operations);
  return async (ctx, { operation, path }) => {
    const { operationId: id } = operation;
    ctx.state.operation = id;
    await callerOf(ctx, operation, () => Promise.resolve(caller));
    const place = await admission.admit(ctx, caller.id);
    place.end();
    const { jsonLimits, ...checks } = find(id);
    const body = operation.requestBody && (await receiveBody(ctx, place));
    const query = parseQuery(ctx.querystring, operation);
    const sent = { path, query, headers: ctx.headers, body: body?.parse(jsonLimits) };
    const parts = contract.validate(id, sent, checks);
    const answer = await answerOf(contract, options, { id, parts, response: new HttpResponseContext(ctx) });
    sendResponse(ctx, place, answer, checks.representations);
  };
}

interface ValidRequest {
  readonly id: OperationId;
  readonly parts: Required<RequestParts>;
  readonly response: ResponseContext;
}

async function answerOf(
  contract: Contract,
  { document, services }: MockOptions,
  { id, parts, response }: ValidRequest,
): Promise<HttpResponse> {
  const request: MockRequest = {
    path: contract.operation(id).path,
    method: contract.operation(id).method,
    headerOf: (name) => {
      if (name === 'Accept') return response.acceptsEventStream ? 'text/event-stream' : '';
      return textOf(parts.headers[name.toLowerCase()]);
    },
    queryOf: (name) => textOf(parts.query[name]),
  };
  const example = findExample(document, request);
  if (example.status >= 400) throw problemOf(example.value, example.headers);
  if (/^render|Chart$/.test(id)) {
    const call = { caller, ...parts } as unknown as Call<OperationId>;
    return contract.handlerOf(id)(call, services, response, noTurn);
  }
  const { 'X-Request-Id': _ownId, ...exampleHeaders } = example.headers;
  const { status, mediaType, value: body = null } = example;
  if (mediaType !== 'text/event-stream') return { status, headers: exampleHeaders, body };
  const events = streamOf(String(body), request, response.disconnected);
  return { status, headers: { ...exampleHeaders, 'Cache-Control': 'no-store' }, body: events };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function problemOf(value: unknown, headers: Readonly<Record<string, string>>): Problem {
  // The values are examples of problems.
  const { code, detail, errors } = value as Schemas['Problem'];
  return new Problem(code, detail, { errors, retryAfterS: 'Retry-After' in headers ? 1 : undefined });
}

async function* streamOf(text: string, request: MockRequest, disconnected: AbortSignal): EventStream {
  const events = eventsFor(text, request);
  for (const event of events) {
    const fields = [...event.matchAll(/^(\w+): (.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      name === 'data' ? (JSON.parse(value) as unknown) : value,
    ]);
    // A test validates the events of all examples.
    yield Object.fromEntries(fields) as Schemas['RunEvent'];
  }
  if (staysOpen(events, request) && !disconnected.aborted) await once(disconnected, 'abort');
}

/** Handles requests whose target is a path. An absolute target is for proxies, and the mock is not one. */
function listenerOf(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Server {
  const { refuse, refuseSocket } = createConnectionErrors(createRawProblems([]), () => undefined);
  const server = createServer();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const target = originForm(request.url);
    if (target === request.url) void answer(request, response);
    else refuse(request, response, new Problem(target === undefined ? 'Bad Request' : 'Not found'));
  };
  server.on('request', onRequest);
  // The body reader sends 100 Continue when the request is known to be allowed.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', (request, response) => {
    refuse(request, response, new Problem('Expectation failed'));
  });
  server.on('clientError', refuseSocket);
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy());
    refuseSocket(new Error('The mock is not a proxy.'), socket);
  });
  return server;
}
