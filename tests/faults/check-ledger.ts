import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from '../../server/src/operation.ts';
import type { Client } from '../support/client.ts';
import { replay } from '../support/tasks.ts';
import { acknowledge, idIn, taskIn, type KnownTask, type Ledger, type Write } from './ledger.ts';
import { inputOf } from './writers.ts';

export interface Checked {
  /** A sentence for each breach. */
  readonly broken: readonly string[];
  /** How many of the writes in doubt had happened. */
  readonly happened: number;
}

/**
 * Holds a server against the ledger: what was acknowledged is there, what was in doubt happened once or not at all,
 * and each audit log tells just what happened. Settles the doubts.
 */
export async function checkLedger(client: Client, ledger: Ledger, ids: Iterable<string>): Promise<Checked> {
  const doubts = ledger.doubts.splice(0);
  const inDoubt = new Map<string | undefined, Write>();
  const checks: Checked[] = [];
  for (const write of doubts) {
    if (write.key !== undefined) checks.push(await retry(client, ledger, write));
    else if (write.action === 'create') checks.push(await settleCreation(client, ledger, write));
    else inDoubt.set(write.taskId, write);
  }
  checks.push({ broken: await checkReplays(client, ledger), happened: 0 });
  for (const id of new Set([...ids, ...doubts.flatMap(({ taskId }) => taskId ?? [])])) {
    const known = ledger.tasks.get(id);
    if (known !== undefined) checks.push(await checkTask(client, ledger, known, inDoubt.get(id)));
  }
  ledger.touched.clear();
  checks.push({ broken: await checkCount(client, ledger), happened: 0 });
  return {
    broken: checks.flatMap(({ broken }) => broken),
    happened: checks.reduce((sum, { happened }) => sum + happened, 0),
  };
}

/** A request under a key may be sent again: it happens now, or it happened then, but never twice. */
async function retry(client: Client, ledger: Ledger, write: Write): Promise<Checked> {
  const { status, body, headers } = await client.send(write.operation, inputOf(write));
  const happened = headers.get('Idempotency-Replayed') === 'true' ? 1 : 0;
  if (status !== 201) return { broken: [`${write.mark} was answered ${status} under its key`], happened };
  acknowledge(ledger, write, body);
  const count = write.action === 'create' ? (await found(client, write)).length : 1;
  return { broken: count === 1 ? [] : [`${write.mark} is there ${count} times under its key`], happened };
}

async function settleCreation(client: Client, ledger: Ledger, write: Write): Promise<Checked> {
  const tasks = await found(client, write);
  for (const task of tasks.slice(0, 1)) acknowledge(ledger, write, { task });
  const isDoubled = tasks.length > 1;
  return {
    broken: isDoubled ? [`${write.mark} was sent once and is there ${tasks.length} times`] : [],
    happened: tasks.length,
  };
}

async function found(client: Client, { mark }: Write): Promise<Schemas['Task'][]> {
  const { body } = await client.ok('listTasks', { query: { q: mark } });
  return body.tasks.filter(({ title }) => title === mark);
}

/** The last requests that were acknowledged under keys are answered as they were. */
async function checkReplays(client: Client, ledger: Ledger): Promise<string[]> {
  const broken: string[] = [];
  for (const { write, id } of ledger.keyed.splice(0).slice(-5)) {
    const { status, body, headers } = await client.send(write.operation, inputOf(write));
    const created = (): string => (write.action === 'create' ? taskIn(body).id : idIn(body));
    const again = status === 201 ? created() : String(status);
    if (again !== id || headers.get('Idempotency-Replayed') !== 'true')
      broken.push(`${write.mark} was not replayed under its key (${again}, not ${id})`);
  }
  return broken;
}

async function checkTask(
  client: Client,
  ledger: Ledger,
  known: KnownTask,
  doubt: Write | undefined,
): Promise<Checked> {
  const { id } = known.state;
  const { status, body } = await client.send('getTask', { id });
  const { body: log } = await client.ok('listAuditLogs', { id });
  const actions = log.map(({ action }) => action);
  const hasHappened = doubt !== undefined && actions.length === known.actions.length + 1;
  const happened = hasHappened ? 1 : 0;
  const expected = hasHappened ? [...known.actions, doubt.action] : known.actions;
  const isDeleted = expected.at(-1) === 'delete';
  if (!isDeepStrictEqual(actions, expected))
    return { broken: [`the log of ${id} says ${actions.join()}, not ${expected.join()}`], happened };
  if (status !== (isDeleted ? 404 : 200))
    return { broken: [`the ${isDeleted ? 'deleted ' : ''}task ${id} is answered ${status}`], happened };
  const state = isDeleted ? known.state : taskIn(body);
  ledger.tasks.set(id, { ...known, state, actions, isDeleted });
  if (isDeleted) return { broken: [], happened };
  const isSame = hasHappened || isDeepStrictEqual(state, known.state);
  return {
    broken: [
      ...(isSame ? [] : [`${id} is not as it was acknowledged`]),
      ...replayComplaints(state, log),
      ...(await checkComments(client, ledger, log, id)),
    ],
    happened,
  };
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

/** The comments are those of the log, and those that were acknowledged are among them. */
async function checkComments(
  client: Client,
  ledger: Ledger,
  log: readonly Schemas['AuditLogEntry'][],
  id: string,
): Promise<string[]> {
  const { body } = await client.ok('listComments', { id });
  const comments = body.map((comment) => comment.id);
  const logged = log
    .filter(({ action }) => action === 'comment')
    .map(({ payload }) => idIn(JSON.parse(payload)));
  const known = ledger.tasks.get(id);
  if (known !== undefined) ledger.tasks.set(id, { ...known, comments });
  const lost = known?.comments.filter((comment) => !comments.includes(comment)) ?? [];
  const isLogged = isDeepStrictEqual(comments, logged);
  return [
    ...lost.map((comment) => `the comment ${comment} is lost`),
    ...(isLogged ? [] : [`the comments of ${id} are not those of its log`]),
  ];
}

/** No task more and none less than is known. */
async function checkCount(client: Client, { tasks }: Ledger): Promise<string[]> {
  const expected = [...tasks.values()].filter(({ isDeleted }) => !isDeleted).length;
  const { count } = (await client.ok('listTasks', { query: { limit: 1 } })).body;
  return count === expected ? [] : [`there are ${count} tasks, not ${expected}`];
}
