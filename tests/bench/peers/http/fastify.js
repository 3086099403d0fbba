/** Fastify with request and response schemas, and pg; the argument `named` selects named statements. */
import fastify from 'fastify';
import pg from 'pg';
import { announce, poolOptions } from './process.js';
import { list, task, taskCreate } from './schemas.js';
import { createValues, statements, taskList } from './tasks.js';

const isNamed = process.argv[2] === 'named';
const pool = new pg.Pool(poolOptions);
const run = (name, values) =>
  isNamed ? pool.query({ name, text: statements[name], values }) : pool.query(statements[name], values);

const app = fastify();
const headers = {
  type: 'object',
  required: ['x-user'],
  properties: { 'x-user': { type: 'string', minLength: 1, maxLength: 255 } },
};
const envelope = { type: 'object', properties: { task } };

app.get(
  '/api/tasks/:id',
  {
    schema: {
      headers,
      params: { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } },
      response: { 200: envelope },
    },
  },
  async (request, reply) => {
    const { rows } = await run('get', [request.params.id, request.headers['x-user']]);
    if (rows.length === 0) return reply.code(404).send({ error: 'Task not found' });
    return { task: rows[0] };
  },
);

app.get(
  '/api/tasks',
  {
    schema: {
      headers,
      querystring: {
        type: 'object',
        properties: {
          limit: { type: 'integer', minimum: 0, maximum: 1000, default: 100 },
          offset: { type: 'integer', minimum: 0, default: 0 },
        },
      },
      response: { 200: list },
    },
  },
  async ({ query, headers }) => {
    const { rows } = await run('list', [headers['x-user'], query.limit, query.offset]);
    return taskList(rows);
  },
);

app.post(
  '/api/tasks',
  { schema: { headers, body: taskCreate, response: { 201: envelope } } },
  async (request, reply) => {
    const { rows } = await run('create', createValues(request.body, request.headers['x-user']));
    return reply.code(201).send({ task: rows[0] });
  },
);

await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server.address().port);
