/** Express with express-openapi-validator and pg, as documented. */
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import pg from 'pg';
import { document } from './document.js';
import { listen, poolOptions } from './process.js';
import { createValues, statements, taskList } from './tasks.js';

const pool = new pg.Pool(poolOptions);
const app = express();
app.use(express.json());
app.use(OpenApiValidator.middleware({ apiSpec: document, validateRequests: true, validateResponses: false }));

app.get('/api/tasks/:id', async (request, response) => {
  const { rows } = await pool.query(statements.get, [request.params.id, request.get('x-user')]);
  if (rows.length === 0) return response.status(404).json({ error: 'Task not found' });
  return response.json({ task: rows[0] });
});

app.get('/api/tasks', async (request, response) => {
  const { limit, offset } = request.query;
  const { rows } = await pool.query(statements.list, [request.get('x-user'), limit, offset]);
  response.json(taskList(rows));
});

app.post('/api/tasks', async (request, response) => {
  const { rows } = await pool.query(statements.create, createValues(request.body, request.get('x-user')));
  response.status(201).json({ task: rows[0] });
});

app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ error: error.message });
});

listen(app);
