import { connect } from 'node:net';
import type { Contender } from './contenders.ts';

const fields = [
  'id',
  'user_id',
  'title',
  'status',
  'priority',
  'description',
  'tags',
  'due_date',
  'created_at',
];

/** Sends the first of the requests and makes sure that the answer is the whole one. */
export async function checkAnswer({ name }: Contender, port: number, request: string): Promise<void> {
  const [head, body] = await exchange(port, request);
  const isCreating = request.startsWith('POST');
  if (!head.startsWith(`HTTP/1.1 ${isCreating ? 201 : 200}`)) fail(name, request, `${head}\n${body}`);
  const answer = object(JSON.parse(body));
  // Feathers answers with the bare task, and calls the list `data` and its count `total`.
  const tasks = answer['tasks'] ?? answer['data'];
  const sample: unknown = Array.isArray(tasks) ? tasks.at(-1) : (answer['task'] ?? answer);
  if (fields.some((field) => !(field in object(sample)))) fail(name, request, body);
  if (!Array.isArray(tasks)) return;
  if (tasks.length !== 100 || Number(answer['count'] ?? answer['total']) < 100) fail(name, request, body);
}

/** Sends a request that must be answered with 200. */
export async function checkStatus(port: number, request: string): Promise<void> {
  const [head] = await exchange(port, request);
  if (!head.startsWith('HTTP/1.1 200')) fail('The server', request, head);
}

/** By a plain connection that is then closed, so that the bytes are those that are measured. */
async function exchange(port: number, request: string): Promise<readonly [head: string, body: string]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request.replace('\r\n', '\r\nConnection: close\r\n'));
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
  const end = text.indexOf('\r\n\r\n');
  return [text.slice(0, end), text.slice(end + 4)];
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function fail(name: string, request: string, answer: string): never {
  throw new Error(`${name} answered ${request.split('\r\n')[0] ?? ''} with ${answer.slice(0, 500)}`);
}
