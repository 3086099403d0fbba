/**
 * The libraries of our server as their documentation uses them: Koa, koa-bodyparser, openapi-backend and jose. It has
 * the duties of the Fastify peer. It shows which part of a difference is the libraries'.
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
const verified = new Map();

const app = new Koa();
app.use(async (ctx, next) => {
  const startMs = performance.now();
  const id = ctx.get('X-Request-Id') || randomUUID();
  ctx.set('X-Request-Id', id);
  ctx.res.once('finish', () => {
    const { method, url, status, state } = ctx;
    log.info({ reqId: id, method, url, status, ms: performance.now() - startMs, user: state.user?.sub });
  });
  await next();
});
app.use(async (ctx, next) => {
  const token = ctx.get('Authorization').replace(/^Bearer /, '');
  try {
    if (!verified.has(token)) verified.set(token, (await jwtVerify(token, key)).payload);
  } catch {
    ctx.status = 401;
    ctx.body = { error: 'The token is not valid.' };
    return;
  }
  ctx.state.user = verified.get(token);
  await next();
});
app.use(bodyParser());

const parameters = (place, properties) =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    schema,
    required: place === 'path',
  }));
const responses = { 200: { description: 'A task or tasks' } };
const content = { 'application/json': { schema: schemas.taskCreate } };

const api = new OpenAPIBackend({
  quick: true,
  ajvOpts: { coerceTypes: true, strict: false, logger: false },
  definition: {
    openapi: '3.0.3',
    info: { title: 'Tasks', version: '1' },
    paths: {
      '/api/tasks/{id}': {
        get: { operationId: 'getTask', parameters: parameters('path', { id: schemas.id }), responses },
      },
      '/api/tasks': {
        get: { operationId: 'listTasks', parameters: parameters('query', schemas.page), responses },
        post: { operationId: 'createTask', requestBody: { required: true, content }, responses },
      },
    },
  },
  handlers: {
    getTask: async ({ request }, ctx) => {
      const body = await getTask(request.params.id, ctx.state.user.sub);
      ctx.status = body === undefined ? 404 : 200;
      ctx.body = body ?? { error: 'Task not found' };
    },
    listTasks: async (_, ctx) => {
      const { limit = 100, offset = 0 } = ctx.query;
      ctx.body = await listTasks({ limit, offset }, ctx.state.user.sub);
    },
    createTask: async ({ request }, ctx) => {
      const created = await createTask(
        request.body,
        ctx.state.user.sub,
        ctx.get('Idempotency-Key') || undefined,
      );
      ctx.status = 201;
      ctx.type = 'application/json';
      ctx.body = typeof created === 'string' ? created : JSON.stringify(created);
    },
    validationFail: ({ validation }, ctx) => {
      ctx.status = 400;
      ctx.body = { errors: validation.errors };
    },
    notFound: (_, ctx) => {
      ctx.status = 404;
      ctx.body = { error: 'Not found' };
    },
  },
});
await api.init();
app.use((ctx) => {
  const { method, path, query, headers, request } = ctx;
  return api.handleRequest({ method, path, query, headers, body: request.body }, ctx);
});

listen(app);
