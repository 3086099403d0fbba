import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Client } from '../support/client.ts';
import { replay } from '../support/tasks.ts';
import { acknowledge, idIn, taskIn, type KnownTask, type Ledger, type Write } from './ledger.ts';
import { inputOf } from './writers.ts';

export interface LedgerCheck {
  readonly violations: readonly string[];
  /** How many of the writes in doubt were applied. */
  readonly applied: number;
}

/**
 * Compares a server with the ledger. Acknowledged writes must be present, writes in doubt must have been applied at
 * most once, and each audit log must have exactly the applied writes. After the check, no write is in doubt.
 */
export async function checkLedger(
  client: Client,
  ledger: Ledger,
  ids: Iterable<string>,
): Promise<LedgerCheck> {
  const inDoubt = ledger.inDoubt.splice(0);
  const inDoubtByTask = new Map<string | undefined, Write>();
  const checks: LedgerCheck[] = [];
  for (const write of inDoubt) {
    if (write.key !== undefined) checks.push(await checkKeyedWrite(client, ledger, write));
    else if (write.action === 'create') checks.push(await checkCreation(client, ledger, write));
    else inDoubtByTask.set(write.taskId, write);
  }
  checks.push({ violations: await checkReplays(client, ledger), applied: 0 });
  for (const id of new Set([...ids, ...inDoubt.flatMap(({ taskId }) => taskId ?? [])])) {
    const known = ledger.tasks.get(id);
    if (known !== undefined) checks.push(await checkTask(client, ledger, known, inDoubtByTask.get(id)));
  }
  ledger.touched.clear();
  checks.push({ violations: await checkCount(client, ledger), applied: 0 });
  return {
    violations: checks.flatMap(({ violations }) => violations),
    applied: checks.reduce((sum, { applied }) => sum + applied, 0),
  };
}

/** Repeats a write with its idempotency key, so that it must not be applied twice. */
async function checkKeyedWrite(client: Client, ledger: Ledger, write: Write): Promise<LedgerCheck> {
  const { status, body, headers } = await client.send(write.operation, inputOf(write));
  const applied = headers.get('Idempotency-Replayed') === 'true' ? 1 : 0;
  if (status !== 201)
    return { violations: [`${write.marker} returned ${status} when retried with its key`], applied };
  acknowledge(ledger, write, body);
  const count = write.action === 'create' ? (await findTasks(client, write)).length : 1;
  return {
    violations: count === 1 ? [] : [`${write.marker} exists ${count} times after a retry with its key`],
    applied,
  };
}

async function checkCreation(client: Client, ledger: Ledger, write: Write): Promise<LedgerCheck> {
  const tasks = await findTasks(client, write);
  for (const task of tasks.slice(0, 1)) acknowledge(ledger, write, { task });
  const isDuplicated = tasks.length > 1;
  return {
    violations: isDuplicated ? [`${write.marker} was sent once and exists ${tasks.length} times`] : [],
    applied: tasks.length,
  };
}

async function findTasks(client: Client, { marker }: Write): Promise<Schemas['Task'][]> {
  const { body } = await client.ok('listTasks', { query: { q: marker } });
  return body.tasks.filter(({ title }) => title === marker);
}

/** Repeats the last acknowledged requests with keys, whose responses must be replays. */
async function checkReplays(client: Client, ledger: Ledger): Promise<string[]> {
  const violations: string[] = [];
  for (const { write, id } of ledger.keyed.splice(0).slice(-5)) {
    const { status, body, headers } = await client.send(write.operation, inputOf(write));
    const createdId = (): string => (write.action === 'create' ? taskIn(body).id : idIn(body));
    const replayed = status === 201 ? createdId() : String(status);
    if (replayed !== id || headers.get('Idempotency-Replayed') !== 'true')
      violations.push(`${write.marker} was not replayed for its key (${replayed}, not ${id})`);
  }
  return violations;
}

async function checkTask(
  client: Client,
  ledger: Ledger,
  known: KnownTask,
  inDoubt: Write | undefined,
): Promise<LedgerCheck> {
  const { id } = known.state;
  const { status, body } = await client.send('getTask', { id });
  const { body: log } = await client.ok('listAuditLogs', { id });
  const actions = log.map(({ action }) => action);
  const wasApplied = inDoubt !== undefined && actions.length === known.actions.length + 1;
  const applied = wasApplied ? 1 : 0;
  const expected = wasApplied ? [...known.actions, inDoubt.action] : known.actions;
  const isDeleted = expected.at(-1) === 'delete';
  if (!isDeepStrictEqual(actions, expected))
    return { violations: [`the audit log of ${id} has ${actions.join()}, not ${expected.join()}`], applied };
  if (status !== (isDeleted ? 404 : 200))
    return { violations: [`the ${isDeleted ? 'deleted ' : ''}task ${id} returns ${status}`], applied };
  const state = isDeleted ? known.state : taskIn(body);
  ledger.tasks.set(id, { ...known, state, actions, isDeleted });
  if (isDeleted) return { violations: [], applied };
  const isSame = wasApplied || isDeepStrictEqual(state, known.state);
  return {
    violations: [
      ...(isSame ? [] : [`${id} differs from its last acknowledged state`]),
      ...checkLogReplay(state, log),
      ...(await checkComments(client, ledger, log, id)),
    ],
    applied,
  };
}

/** Replays the changes in all entries, and compares every field that callers can write. */
function checkLogReplay(state: Schemas['Task'], log: readonly Schemas['AuditLogEntry'][]): string[] {
  const { id, user_id: _owner, created_at: _created, updated_at: _updated, etag: _etag, ...fields } = state;
  try {
    const entries = log.map(({ action, payload }) => ({ action, payload: JSON.parse(payload) as unknown }));
    const unset = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
    const isSame = isDeepStrictEqual({ ...unset, ...replay(entries) }, { ...fields });
    return isSame ? [] : [`replaying the audit log of ${id} gives another task`];
  } catch (error) {
    return [`the audit log of ${id} cannot be replayed: ${String(error)}`];
  }
}

/** Checks that the comments equal those in the audit log, and include every acknowledged comment. */
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
    ...(isLogged ? [] : [`the comments of ${id} differ from its audit log`]),
  ];
}

async function checkCount(client: Client, { tasks }: Ledger): Promise<string[]> {
  const expected = [...tasks.values()].filter(({ isDeleted }) => !isDeleted).length;
  const { count } = (await client.ok('listTasks', { query: { limit: 1 } })).body;
  return count === expected ? [] : [`there are ${count} tasks, not ${expected}`];
}
