/** Express with the duties of our server: tokens by express-jwt, request ids and log lines by pino-http, validation, keys. */
import { randomUUID } from 'node:crypto';
import express from 'express';
import { expressjwt } from 'express-jwt';
import * as OpenApiValidator from 'express-openapi-validator';
import pg from 'pg';
import { pinoHttp } from 'pino-http';
import { document } from './document.js';
import { openLog } from './log.js';
import { jwtSecret, listen, poolOptions } from './process.js';
import { createOnce, createValues, statements, taskList } from './tasks.js';

const pool = new pg.Pool(poolOptions);
const run = (name, values) => pool.query({ name, text: statements[name], values });

const app = express();
app.use(
  pinoHttp({
    logger: openLog(),
    genReqId: (request, response) => {
      const id = request.headers['x-request-id'] ?? randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: ({ id, method, url }) => ({ id, method, url }),
      res: ({ statusCode }) => ({ statusCode }),
    },
  }),
);
app.use(expressjwt({ secret: jwtSecret, algorithms: ['HS256'] }));
app.use(express.json());
app.use(OpenApiValidator.middleware({ apiSpec: document, validateRequests: true, validateResponses: false }));

app.get('/api/tasks/:id', async (request, response) => {
  const { rows } = await run('get', [request.params.id, request.auth.sub]);
  if (rows.length === 0) return response.status(404).json({ error: 'Task not found' });
  return response.json({ task: rows[0] });
});

app.get('/api/tasks', async (request, response) => {
  const { limit, offset } = request.query;
  const { rows } = await run('list', [request.auth.sub, limit, offset]);
  response.json(taskList(rows));
});

app.post('/api/tasks', async (request, response) => {
  const { body, auth } = request;
  const key = request.get('idempotency-key');
  if (key !== undefined)
    return response
      .status(201)
      .type('json')
      .send(await createOnce(run, key, body, auth.sub));
  const { rows } = await run('create', createValues(body, auth.sub));
  return response.status(201).json({ task: rows[0] });
});

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message });
});

listen(app);
