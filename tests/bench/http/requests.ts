import type pg from 'pg';
import { requestText } from '../../faults/connection.ts';
import { newKey } from '../../faults/overload-process.ts';
import { tokenFor } from '../../support/tokens.ts';

export type Operation = 'POST with a key' | 'POST' | 'GET one' | 'list of 100' | 'list of 20';

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
      return subjects.writers.map((writer, i) => post(writer, i, [`Idempotency-Key: ${newKey}`]));
    case 'POST':
      return subjects.writers.map((writer, i) => post(writer, i));
  }
}

export function get({ token }: User, path: string): string {
  return requestText('GET', path, token);
}

function post({ token }: User, i: number, headers?: readonly string[]): string {
  return requestText('POST', '/api/tasks', token, newTask(i), headers);
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
