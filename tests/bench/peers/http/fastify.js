/**
 * Fastify with the duties of our server: tokens (by its plugin), request ids, a log line for each request,
 * validation, and idempotency keys.
 */
import { randomUUID } from 'node:crypto';
import jwt from '@fastify/jwt';
import fastify, { LogController } from 'fastify';
import { pino } from 'pino';
import * as schemas from './schemas.js';
import { createTask, getTask, listTasks } from './tasks.js';

// Like our server's log, this one goes to a file in blocks.
const log = pino(pino.destination({ dest: process.env.LOG_FILE, sync: false, minLength: 16_000 }));
const app = fastify({
  loggerInstance: log,
  logController: new LogController({ disableRequestLogging: true }),
  requestIdHeader: 'x-request-id',
  genReqId: () => randomUUID(),
});
await app.register(jwt, { secret: process.env.JWT_SECRET, verify: { algorithms: ['HS256'], cache: true } });
app.addHook('onRequest', async (request, reply) => {
  reply.header('X-Request-Id', request.id);
  await request.jwtVerify();
});
app.addHook('onResponse', async (request, reply) => {
  const { method, url, user } = request;
  request.log.info({ method, url, status: reply.statusCode, ms: reply.elapsedTime, user: user?.sub });
});

const params = { type: 'object', properties: { id: schemas.id } };
const get = { schema: { params, response: { 200: schemas.envelope } } };
app.get('/api/tasks/:id', get, async (request, reply) => {
  const body = await getTask(request.params.id, request.user.sub);
  return body ?? reply.code(404).send({ error: 'Task not found' });
});

const querystring = { type: 'object', properties: schemas.page };
app.get('/api/tasks', { schema: { querystring, response: { 200: schemas.list } } }, ({ query, user }) =>
  listTasks(query, user.sub),
);

const create = { schema: { body: schemas.taskCreate, response: { 201: schemas.envelope } } };
app.post('/api/tasks', create, async (request, reply) => {
  const body = await createTask(request.body, request.user.sub, request.headers['idempotency-key']);
  reply.code(201);
  return typeof body === 'string' ? reply.type('application/json').serializer(String).send(body) : body;
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.(app.server.address().port);
process.on('disconnect', () => process.exit());
