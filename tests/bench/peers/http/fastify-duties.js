/** Fastify with the duties of our server: tokens by its plugin, request ids, one log line a request, validation, keys. */
import { randomUUID } from 'node:crypto';
import jwt from '@fastify/jwt';
import fastify from 'fastify';
import pg from 'pg';
import { openLog } from './log.js';
import { announce, jwtSecret, poolOptions } from './process.js';
import { list, task, taskCreate } from './schemas.js';
import { createOnce, createValues, statements, taskList } from './tasks.js';

const pool = new pg.Pool(poolOptions);
const run = (name, values) => pool.query({ name, text: statements[name], values });

const app = fastify({
  loggerInstance: openLog(),
  disableRequestLogging: true,
  requestIdHeader: 'x-request-id',
  genReqId: () => randomUUID(),
});
await app.register(jwt, { secret: jwtSecret, verify: { algorithms: ['HS256'], cache: true } });
app.addHook('onRequest', async (request, reply) => {
  reply.header('X-Request-Id', request.id);
  await request.jwtVerify();
});
app.addHook('onResponse', async (request, reply) => {
  request.log.info({
    method: request.method,
    path: request.url,
    status: reply.statusCode,
    ms: reply.elapsedTime,
    user: request.user?.sub,
  });
});

const envelope = { type: 'object', properties: { task } };
const id = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } };

app.get('/api/tasks/:id', { schema: { params: id, response: { 200: envelope } } }, async (request, reply) => {
  const { rows } = await run('get', [request.params.id, request.user.sub]);
  if (rows.length === 0) return reply.code(404).send({ error: 'Task not found' });
  return { task: rows[0] };
});

const querystring = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 0, maximum: 1000, default: 100 },
    offset: { type: 'integer', minimum: 0, default: 0 },
  },
};

app.get('/api/tasks', { schema: { querystring, response: { 200: list } } }, async ({ query, user }) => {
  const { rows } = await run('list', [user.sub, query.limit, query.offset]);
  return taskList(rows);
});

app.post(
  '/api/tasks',
  { schema: { body: taskCreate, response: { 201: envelope } } },
  async (request, reply) => {
    const { body, user } = request;
    const key = request.headers['idempotency-key'];
    reply.code(201);
    if (key !== undefined)
      return reply
        .type('application/json')
        .serializer(String)
        .send(await createOnce(run, key, body, user.sub));
    const { rows } = await run('create', createValues(body, user.sub));
    return { task: rows[0] };
  },
);

await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server.address().port);
