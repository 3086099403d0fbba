/** The baseline: node:http and pg with named statements. It has no router, validation, authentication, logs or keys. */
import { createServer } from 'node:http';
import { listen } from './process.js';
import { createTask, getTask, listTasks } from './tasks.js';

const base = '/api/tasks';

listen(
  createServer((request, response) => {
    answer(request, response).catch((error) => send(response, 500, { error: error.message }));
  }),
);

async function answer(request, response) {
  const { method, url } = request;
  const user = request.headers['x-user'];
  if (method === 'POST') return send(response, 201, await createTask(await bodyOf(request), user));
  if (url[base.length] === '/') {
    const body = await getTask(url.slice(base.length + 1), user);
    return body === undefined ? send(response, 404, {}) : send(response, 200, body);
  }
  const query = new URLSearchParams(url.slice(base.length));
  const page = { limit: Number(query.get('limit')), offset: Number(query.get('offset')) };
  return send(response, 200, await listTasks(page, user));
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
