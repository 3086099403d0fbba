import { deepStrictEqual } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { listPath, newTask, type Reader, type Subjects, type User } from './requests.ts';
import type { RunningServer } from './servers.ts';

/**
 * Throws unless our server and a peer respond to the same requests with the same bodies, write the same rows, refuse the
 * same requests, and answer a repeated key with the same task.
 */
export async function checkDuties(
  servers: readonly RunningServer[],
  { readers, writers }: Subjects,
  client: pg.Client,
): Promise<void> {
  const [reader, writer] = [readers[0], writers[0]];
  if (reader === undefined || writer === undefined) throw new Error('The database has no users.');
  const results = [];
  for (const { port } of servers)
    results.push({
      reads: await readsOf(port, reader),
      writes: await writesOf(port, writer, client),
      duties: await dutiesOf(port, writer),
    });
  const [own, peer] = results;
  // The message shows the difference from our server.
  deepStrictEqual(peer, own);
}

async function readsOf(port: number, reader: Reader): Promise<unknown> {
  const paths = [...reader.taskIds.slice(0, 3).map((id) => `/api/tasks/${id}`), listPath];
  return Promise.all(paths.map((path) => send(port, path, reader)));
}

/** A created task and its related rows, without values that differ between two equal tasks. */
async function writesOf(port: number, writer: User, client: pg.Client): Promise<unknown> {
  const { status, body } = await send(port, '/api/tasks', writer, { body: newTask(1) });
  const { rows } = await client.query(
    `select to_jsonb(t) - array['id', 'created_at', 'updated_at', 'etag'] as task,
       (select array_agg(tag_key order by tag_key) from task_tags g where g.task_id = t.id) as tags,
       (select jsonb_agg((to_jsonb(l) || jsonb_build_object('payload', payload::jsonb, 'etag', l.etag = t.etag))
           - array['id', 'task_id', 'seq', 'created_at', 'recorded_us'])
         from audit_logs l where l.task_id = t.id) as log,
       (select sum(count) from task_counts where user_id = $2) =
         (select count(*) from tasks where user_id = $2) as is_counted
     from tasks t where id = $1`,
    [taskOf(body).id, writer.id],
  );
  return { status, names: Object.keys(taskOf(body)).toSorted(), rows };
}

/** The statuses of requests that must be refused, and true if a repeated key got the same task. */
async function dutiesOf(port: number, writer: User): Promise<unknown> {
  const headers = { 'Idempotency-Key': randomUUID() };
  const refused = [
    await send(port, '/api/tasks', { ...writer, token: 'none' }),
    await send(port, '/api/tasks', writer, { body: { ...newTask(1), title: '' } }),
    await send(port, '/api/tasks?limit=-1', writer),
    await send(port, `/api/tasks/${randomUUID()}`, writer),
  ];
  const [first, second] = [
    await send(port, '/api/tasks', writer, { body: newTask(1), headers }),
    await send(port, '/api/tasks', writer, { body: newTask(1), headers }),
  ];
  return { statuses: refused.map(({ status }) => status), isRepeated: isDeepStrictEqual(first, second) };
}

async function send(
  port: number,
  path: string,
  { token }: User,
  { body, headers }: { body?: object; headers?: object } = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** The task in a body. The comparison of the names of its fields fails if there is none. */
function taskOf(body: unknown): { readonly id?: string } {
  const { task = {} } = body as { readonly task?: { readonly id?: string } };
  return task;
}
