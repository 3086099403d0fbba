import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from '../../server/src/operations.ts';
import type { Client } from '../support/client.ts';
import { replay } from '../support/tasks.ts';
import { acknowledge, idIn, taskIn, type Action, type KnownTask, type Ledger, type Write } from './ledger.ts';
import { inputOf } from './writers.ts';

/**
 * Holds a server against the ledger: what was acknowledged is there, what was in doubt happened once or not at all,
 * and each audit log tells just what happened. Settles the doubts, and returns a sentence for each breach.
 */
export async function checkLedger(client: Client, ledger: Ledger, ids: Iterable<string>): Promise<string[]> {
  const broken: string[] = [];
  const doubts = ledger.doubts.splice(0);
  for (const write of doubts) {
    if (write.key !== undefined) broken.push(...(await retry(client, ledger, write)));
    else if (write.action === 'create') broken.push(...(await settleCreation(client, ledger, write)));
  }
  for (const { write, id } of ledger.keyed.splice(0).slice(-5)) {
    const { status, body, headers } = await client.send(write.operation, inputOf(write));
    // The task of a comment may have been deleted since; its key goes on telling of the comment.
    const again =
      status === 201 ? (write.action === 'create' ? taskIn(body).id : idIn(body)) : String(status);
    if (again !== id || headers.get('Idempotency-Replayed') !== 'true')
      broken.push(`${write.mark} was not replayed under its key (${again}, not ${id})`);
  }
  const inDoubt = new Map(
    doubts.filter(({ key }) => key === undefined).map((write) => [write.taskId, write]),
  );
  for (const id of new Set([...ids, ...doubts.flatMap(({ taskId }) => taskId ?? [])])) {
    const known = ledger.tasks.get(id);
    if (known !== undefined) broken.push(...(await checkTask(client, ledger, known, inDoubt.get(id))));
  }
  ledger.touched.clear();
  broken.push(...(await checkCount(client, ledger)));
  return broken;
}

/** A request under a key may be sent again: it happens now, or it happened then, but never twice. */
async function retry(client: Client, ledger: Ledger, write: Write): Promise<string[]> {
  const { status, body } = await client.send(write.operation, inputOf(write));
  if (status !== 201) return [`${write.mark} was answered ${status} when it was sent again under its key`];
  acknowledge(ledger, write, body);
  if (write.action !== 'create') return [];
  const count = (await found(client, write)).length;
  return count === 1 ? [] : [`${write.mark} was sent again under its key and is there ${count} times`];
}

async function settleCreation(client: Client, ledger: Ledger, write: Write): Promise<string[]> {
  const tasks = await found(client, write);
  for (const task of tasks.slice(0, 1)) acknowledge(ledger, write, { task });
  return tasks.length <= 1 ? [] : [`${write.mark} was sent once and is there ${tasks.length} times`];
}

async function found(client: Client, { mark }: Write): Promise<Schemas['Task'][]> {
  const { body } = await client.ok('listTasks', { query: { q: mark } });
  return body.tasks.filter(({ title }) => title === mark);
}

async function checkTask(
  client: Client,
  ledger: Ledger,
  known: KnownTask,
  doubt: Write | undefined,
): Promise<string[]> {
  const { id } = known.state;
  const got = await client.send('getTask', { id });
  const { body: log } = await client.ok('listAuditLogs', { id });
  const actions = log.map(({ action }) => action);
  const hasHappened = doubt !== undefined && actions.length === known.actions.length + 1;
  const expected = hasHappened ? [...known.actions, doubt.action] : known.actions;
  const broken: string[] = [];
  if (!isDeepStrictEqual(actions, expected))
    broken.push(`the log of ${id} says ${actions.join()}, not ${expected.join()}`);
  const isDeleted = expected.at(-1) === 'delete';
  if (got.status !== (isDeleted ? 404 : 200))
    return [...broken, `${isDeleted ? 'the deleted' : 'the'} task ${id} is answered ${got.status}`];
  if (isDeleted) {
    ledger.tasks.set(id, { ...known, actions, isDeleted });
    return broken;
  }
  const state = taskIn(got.body);
  if (!hasHappened && !isDeepStrictEqual(state, known.state))
    broken.push(`${id} is not as it was acknowledged`);
  broken.push(...replayComplaints(state, log));
  const { comments, complaints } = await checkComments(client, known, log);
  ledger.tasks.set(id, { state, actions, comments, isDeleted });
  return [...broken, ...complaints];
}

/** Replays the log with its "from" and "to", and compares every field that a caller can write. */
function replayComplaints(state: Schemas['Task'], log: readonly Schemas['AuditLogEntry'][]): string[] {
  const { id, user_id: _owner, created_at: _created, updated_at: _updated, ...fields } = state;
  try {
    const entries = log.map(({ action, payload }) => ({ action, payload: JSON.parse(payload) as unknown }));
    const unset = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
    const isSame = isDeepStrictEqual({ ...unset, ...replay(entries) }, { ...fields });
    return isSame ? [] : [`a replay of the log of ${id} is another task`];
  } catch (error) {
    return [`the log of ${id} cannot be replayed: ${String(error)}`];
  }
}

async function checkComments(
  client: Client,
  known: KnownTask,
  log: readonly Schemas['AuditLogEntry'][],
): Promise<{ comments: string[]; complaints: string[] }> {
  const { id } = known.state;
  const { body } = await client.ok('listComments', { id });
  const comments = body.map((comment) => comment.id);
  const logged = log
    .filter(({ action }) => action === ('comment' satisfies Action))
    .map(({ payload }) => idIn(JSON.parse(payload)));
  const complaints = known.comments
    .filter((comment) => !comments.includes(comment))
    .map((comment) => `the comment ${comment} is lost`);
  if (!isDeepStrictEqual(comments, logged)) complaints.push(`the comments of ${id} are not those of its log`);
  return { comments, complaints };
}

/** No task more and none less than is known. */
async function checkCount(client: Client, { tasks }: Ledger): Promise<string[]> {
  const expected = [...tasks.values()].filter(({ isDeleted }) => !isDeleted).length;
  const { count } = (await client.ok('listTasks', { query: { limit: 1 } })).body;
  return count === expected ? [] : [`there are ${count} tasks, not ${expected}`];
}
