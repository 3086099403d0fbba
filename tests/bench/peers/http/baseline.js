/** The baseline: node:http and pg with named statements, without router, validation, authentication and logs. */
import { createServer } from 'node:http';
import pg from 'pg';
import { listen, poolOptions } from './process.js';
import { createValues, statements, taskList } from './tasks.js';

const pool = new pg.Pool(poolOptions);
const base = '/api/tasks';

listen(
  createServer((request, response) => {
    answer(request, response).catch((error) => send(response, 500, { error: error.message }));
  }),
);

async function answer(request, response) {
  const user = request.headers['x-user'];
  if (request.method === 'POST') {
    const { rows } = await run('create', createValues(await bodyOf(request), user));
    return send(response, 201, { task: rows[0] });
  }
  const { url } = request;
  if (url[base.length] === '/') {
    const { rows } = await run('get', [url.slice(base.length + 1), user]);
    return rows.length === 0 ? send(response, 404, {}) : send(response, 200, { task: rows[0] });
  }
  const query = new URLSearchParams(url.slice(base.length));
  const { rows } = await run('list', [user, Number(query.get('limit')), Number(query.get('offset'))]);
  return send(response, 200, taskList(rows));
}

function run(name, values) {
  return pool.query({ name, text: statements[name], values });
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function send(response, status, body) {
  const text = JSON.stringify(body);
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
  response.writeHead(status, headers).end(text);
}
