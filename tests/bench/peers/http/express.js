/**
 * Express with the duties of our server: tokens (express-jwt), request ids and log lines (pino-http), validation, keys.
 */
import express from 'express';
import { expressjwt } from 'express-jwt';
import * as OpenApiValidator from 'express-openapi-validator';
import { jwtSecret, listen } from './process.js';
import { requestLog } from './request-log.js';
import * as schemas from './schemas.js';
import { createTask, getTask, listTasks } from './tasks.js';

const json = (schema) => ({ content: { 'application/json': { schema } } });
const response = (schema) => ({ description: 'The result.', ...json(schema) });
const parameter = (place, name, schema) => ({ name, in: place, required: place === 'path', schema });

const apiSpec = {
  openapi: '3.0.3',
  info: { title: 'Tasks', version: '1.0.0' },
  paths: {
    '/api/tasks': {
      get: {
        parameters: Object.entries(schemas.page).map(([name, schema]) => parameter('query', name, schema)),
        responses: { 200: response(schemas.list) },
      },
      post: {
        requestBody: { required: true, ...json(schemas.taskCreate) },
        responses: { 201: response(schemas.envelope) },
      },
    },
    '/api/tasks/{id}': {
      get: {
        parameters: [parameter('path', 'id', schemas.id)],
        responses: { 200: response(schemas.envelope) },
      },
    },
  },
};

const app = express();
app.use(requestLog());
app.use(expressjwt({ secret: jwtSecret, algorithms: ['HS256'] }));
app.use(express.json());
app.use(OpenApiValidator.middleware({ apiSpec, validateRequests: true, validateResponses: false }));

app.get('/api/tasks/:id', async ({ params, auth }, response) => {
  const body = await getTask(params.id, auth.sub);
  if (body === undefined) return response.status(404).json({ error: 'Task not found' });
  return response.json(body);
});

app.get('/api/tasks', async ({ query, auth }, response) => {
  response.json(await listTasks(query, auth.sub));
});

app.post('/api/tasks', async (request, response) => {
  const body = await createTask(request.body, request.auth.sub, request.get('idempotency-key'));
  response.status(201);
  if (typeof body === 'string') return response.type('json').send(body);
  return response.json(body);
});

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message });
});

listen(app);
