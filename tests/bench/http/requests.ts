import type pg from 'pg';
import { newKey } from '../../faults/overload-process.ts';
import { tokenFor } from '../../support/tokens.ts';

export type Operation = 'POST with a key' | 'POST' | 'GET one' | 'list of 100' | 'list of 20' | 'mixed';

/** The users that send the requests: readers with some of their tasks, and writers. */
export interface Subjects {
  readonly readers: readonly Reader[];
  readonly writers: readonly User[];
}

export interface User {
  readonly id: string;
  readonly token: string;
}

export interface Reader extends User {
  readonly taskIds: readonly string[];
}

const readersCount = 100;
const writersCount = 50;
const tasksPerReader = 20;
export const listPath = '/api/tasks?limit=100&offset=0';

/** Selects users of average size, and some random tasks of each. */
export async function findSubjects(client: pg.Client): Promise<Subjects> {
  const { rows } = await client.query<{ user_id: string; ids: string[] }>(
    `select user_id, (array_agg(id order by random()))[1:$2] as ids from tasks
     where user_id in (select 'user-' || n from generate_series(1, $1) n) group by user_id`,
    [readersCount, tasksPerReader],
  );
  return {
    readers: await Promise.all(
      rows.map(async ({ user_id, ids }) => ({ ...(await user(user_id)), taskIds: ids })),
    ),
    writers: await Promise.all(Array.from({ length: writersCount }, (_, i) => user(`writer-${i}`))),
  };
}

export async function user(id: string): Promise<User> {
  return { id, token: await tokenFor(id) };
}

/** The requests of an operation, with users interleaved. */
export function requestsOf(operation: Operation, subjects: Subjects): string[] {
  switch (operation) {
    case 'GET one':
      return Array.from({ length: tasksPerReader }, (_, i) =>
        subjects.readers.map((reader) => get(reader, `/api/tasks/${reader.taskIds[i] ?? ''}`)),
      ).flat();
    case 'list of 100':
      return subjects.readers.map((reader) => get(reader, listPath));
    case 'list of 20':
      return subjects.readers.map((reader) => get(reader, '/api/tasks?limit=20&offset=0'));
    case 'POST with a key':
      return requestsOf('POST', subjects).map((request) =>
        request.replace('\r\n', `\r\nIdempotency-Key: ${newKey}\r\n`),
      );
    case 'POST':
      return subjects.writers.map((writer, i) => post(writer, i));
    case 'mixed':
      return mixed(subjects);
  }
}

/** Of ten requests, seven are GETs, two are lists and one is a POST with a key. */
function mixed(subjects: Subjects): string[] {
  const of = (operation: Operation): string[] => requestsOf(operation, subjects);
  const [gets, lists, posts] = [of('GET one'), of('list of 100'), of('POST with a key')];
  const kinds = [gets, gets, lists, gets, gets, posts, gets, lists, gets, gets];
  return Array.from({ length: 2000 }, (_, i) => {
    const kind = kinds[i % kinds.length] ?? gets;
    // Steps of eleven use all requests of a kind. Steps of ten would use only some, again and again.
    return kind[(i + Math.floor(i / kinds.length)) % kind.length] ?? '';
  });
}

export function get(user: User, path: string): string {
  return `GET ${path} HTTP/1.1\r\n${headersOf(user)}\r\n`;
}

function post(user: User, i: number): string {
  const body = JSON.stringify(newTask(i));
  const headers = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `POST /api/tasks HTTP/1.1\r\n${headersOf(user)}${headers}\r\n${body}`;
}

export function newTask(i: number): object {
  return {
    title: `Prepare the review of quarter ${(i % 4) + 1}`,
    description:
      'Collect the figures of all teams, compare them with the plan, and write down what is to be decided.',
    workspace_id: `workspace-${i % 4}`,
    priority: '1',
    due_date: '2027-01-31',
    tags: 'review,quarter',
  };
}

function headersOf({ token }: User): string {
  return `Host: 127.0.0.1\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n`;
}
