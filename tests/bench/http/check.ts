import { connect } from 'node:net';
import type { Contender } from './contenders.ts';
import { withNextKey } from './fresh-keys.ts';

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

/** Sends a request and throws unless the response has the expected status, fields and length. */
export async function checkAnswer({ name }: Contender, port: number, request: string): Promise<void> {
  const [head, body] = await exchange(port, request);
  const isCreating = request.startsWith('POST');
  if (!head.startsWith(`HTTP/1.1 ${isCreating ? 201 : 200}`)) fail(name, request, `${head}\n${body}`);
  const response = object(JSON.parse(body));
  const { tasks } = response;
  const sample: unknown = Array.isArray(tasks) ? tasks.at(-1) : response['task'];
  if (fields.some((field) => !(field in object(sample)))) fail(name, request, body);
  if (!Array.isArray(tasks)) return;
  if (tasks.length !== 100 || Number(response['count']) < 100) fail(name, request, body);
}

/** Sends a request and throws unless the status is 200. */
export async function checkStatus(port: number, request: string): Promise<void> {
  const [head] = await exchange(port, request);
  if (!head.startsWith('HTTP/1.1 200')) fail('The server', request, head);
}

/** Sends the exact bytes of the load over a connection that the server then closes. */
async function exchange(port: number, request: string): Promise<readonly [head: string, body: string]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(withNextKey(Buffer.from(request.replace('\r\n', '\r\nConnection: close\r\n'))));
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += String(chunk);
  const end = text.indexOf('\r\n\r\n');
  return [text.slice(0, end), text.slice(end + 4)];
}

function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function fail(name: string, request: string, response: string): never {
  throw new Error(`${name} responded to ${request.split('\r\n')[0] ?? ''} with ${response.slice(0, 500)}`);
}
