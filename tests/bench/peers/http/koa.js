/**
 * The libraries of our server as their documentation uses them, with the duties of the Fastify peer. It shows which part
 * of a difference is the libraries'.
 */
import { randomUUID } from 'node:crypto';
import { jwtVerify } from 'jose';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { OpenAPIBackend } from 'openapi-backend';
import { jwtSecret, listen, openLog } from './process.js';
import * as schemas from './schemas.js';
import { createTask, getTask, listTasks } from './tasks.js';

const log = openLog();
const key = new TextEncoder().encode(jwtSecret);
const algorithms = { algorithms: ['HS256'] };
const verified = new Map();

const app = new Koa();
app.use(async (ctx, next) => {
  const startMs = performance.now();
  const id = ctx.get('X-Request-Id') || randomUUID();
  ctx.set('X-Request-Id', id);
  ctx.res.once('finish', () => {
    const { method, url, status, state } = ctx;
    log.info({ reqId: id, method, url, status, ms: performance.now() - startMs, user: state.user });
  });
  const token = ctx.get('Authorization').replace(/^Bearer /, '');
  try {
    if (!verified.has(token)) verified.set(token, (await jwtVerify(token, key, algorithms)).payload);
    const { sub, exp = Infinity } = verified.get(token);
    if (exp * 1000 < Date.now()) throw new Error('The token has expired.');
    ctx.state.user = sub;
  } catch {
    refuse(401)(undefined, ctx);
    return;
  }
  await next();
});
app.use(bodyParser());

const refuse = (status) => (_, ctx) => {
  ctx.status = status;
  ctx.body = { error: 'The request is refused.' };
};

const parameters = (place, properties) =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    schema,
    required: place === 'path',
  }));
const responses = { 200: { description: 'A task or tasks' } };
const requestBody = { required: true, content: { 'application/json': { schema: schemas.taskCreate } } };
const paths = {
  '/api/tasks/{id}': {
    get: { operationId: 'get', parameters: parameters('path', { id: schemas.id }), responses },
  },
  '/api/tasks': {
    get: { operationId: 'list', parameters: parameters('query', schemas.page), responses },
    post: { operationId: 'create', requestBody, responses },
  },
};

const api = new OpenAPIBackend({
  quick: true,
  ajvOpts: { coerceTypes: true, strict: false, logger: false },
  definition: { openapi: '3.0.3', info: { title: 'Tasks', version: '1' }, paths },
  handlers: {
    get: async ({ request }, ctx) => {
      const body = await getTask(request.params.id, ctx.state.user);
      if (body === undefined) refuse(404)(request, ctx);
      else ctx.body = body;
    },
    list: async (_, ctx) => {
      ctx.body = await listTasks({ limit: 100, offset: 0, ...ctx.query }, ctx.state.user);
    },
    create: async ({ request }, ctx) => {
      const body = await createTask(request.body, ctx.state.user, ctx.get('Idempotency-Key') || undefined);
      ctx.status = 201;
      ctx.type = 'application/json';
      ctx.body = typeof body === 'string' ? body : JSON.stringify(body);
    },
    validationFail: refuse(400),
    notFound: refuse(404),
  },
});
await api.init();
app.use((ctx) => {
  const { method, path, query, headers, request } = ctx;
  return api.handleRequest({ method, path, query, headers, body: request.body }, ctx);
});

listen(app);
