import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from '../../server/src/contract/operation.ts';
import type { Client } from '../support/client.ts';
import { replay } from '../support/tasks.ts';
import { acknowledge, idIn, taskIn, type KnownTask, type Ledger, type Write } from './ledger.ts';
import { requestOf } from './writers.ts';

/**
 * Compares a server with the ledger. Acknowledged writes must be present, writes in doubt must have been applied at
 * most once, and each audit log must have exactly the applied writes. After the check, no write is in doubt.
 */
export async function checkLedger(
  client: Client,
  ledger: Ledger,
  ids: Iterable<string>,
): Promise<LedgerCheck> {
  const check = new LedgerCheck(client, ledger);
  const inDoubt = ledger.inDoubt.splice(0);
  const inDoubtByTask = new Map<string | undefined, Write>();
  for (const write of inDoubt) {
    if (write.key !== undefined) await check.keyedWrite(write);
    else if (write.action === 'create') await check.creation(write);
    else inDoubtByTask.set(write.taskId, write);
  }
  await check.replays();
  for (const id of new Set([...ids, ...inDoubt.flatMap(({ taskId }) => taskId ?? [])])) {
    const known = ledger.tasks.get(id);
    if (known !== undefined) await check.task(known, inDoubtByTask.get(id));
  }
  ledger.touched.clear();
  await check.count();
  return check;
}

class LedgerCheck {
  readonly violations: string[] = [];
  /** How many of the writes in doubt were applied. */
  applied = 0;
  readonly #client: Client;
  readonly #ledger: Ledger;

  constructor(client: Client, ledger: Ledger) {
    this.#client = client;
    this.#ledger = ledger;
  }

  #expect(isKept: boolean, violation: string): void {
    if (!isKept) this.violations.push(violation);
  }

  /** Repeats a write with its idempotency key, so that it must not be applied twice. */
  async keyedWrite(write: Write): Promise<void> {
    const { status, body, headers } = await this.#client.send(...requestOf(write));
    if (headers.get('Idempotency-Replayed') === 'true') this.applied += 1;
    this.#expect(status === 201, `${write.marker} returned ${status} when retried with its key`);
    if (status !== 201) return;
    acknowledge(this.#ledger, write, body);
    const count = write.action === 'create' ? (await this.#tasksOf(write)).length : 1;
    this.#expect(count === 1, `${write.marker} exists ${count} times after a retry with its key`);
  }

  async creation(write: Write): Promise<void> {
    const tasks = await this.#tasksOf(write);
    for (const task of tasks.slice(0, 1)) acknowledge(this.#ledger, write, { task });
    this.applied += tasks.length;
    this.#expect(tasks.length <= 1, `${write.marker} was sent once and exists ${tasks.length} times`);
  }

  async #tasksOf({ marker }: Write): Promise<Schemas['Task'][]> {
    const { body } = await this.#client.ok('listTasks', { query: { q: marker } });
    return body.tasks.filter(({ title }) => title === marker);
  }

  /** Repeats the last acknowledged requests with keys, whose responses must be replays. */
  async replays(): Promise<void> {
    for (const { write, id } of this.#ledger.keyed.splice(0).slice(-5)) {
      const { status, body, headers } = await this.#client.send(...requestOf(write));
      const createdId = (): string => (write.action === 'create' ? taskIn(body).id : idIn(body));
      const replayed = status === 201 ? createdId() : String(status);
      const isReplay = replayed === id && headers.get('Idempotency-Replayed') === 'true';
      this.#expect(isReplay, `${write.marker} was not replayed for its key (${replayed}, not ${id})`);
    }
  }

  async task(known: KnownTask, inDoubt: Write | undefined): Promise<void> {
    const { id } = known.state;
    const { status, body } = await this.#client.send('getTask', { id });
    const { body: log } = await this.#client.ok('listAuditLogs', { id });
    const actions = log.map(({ action }) => action);
    const wasApplied = inDoubt !== undefined && actions.length === known.actions.length + 1;
    if (wasApplied) this.applied += 1;
    const expected = wasApplied ? [...known.actions, inDoubt.action] : known.actions;
    const isDeleted = expected.at(-1) === 'delete';
    const isLogged = isDeepStrictEqual(actions, expected);
    this.#expect(isLogged, `the audit log of ${id} has ${actions.join()}, not ${expected.join()}`);
    if (!isLogged) return;
    const isFound = status === (isDeleted ? 404 : 200);
    this.#expect(isFound, `the ${isDeleted ? 'deleted ' : ''}task ${id} returns ${status}`);
    if (!isFound) return;
    const state = isDeleted ? known.state : taskIn(body);
    this.#ledger.tasks.set(id, { ...known, state, actions, isDeleted });
    if (isDeleted) return;
    const isSame = wasApplied || isDeepStrictEqual(state, known.state);
    this.#expect(isSame, `${id} differs from its last acknowledged state`);
    this.#logReplay(state, log);
    await this.#comments(log, id);
  }

  /** Replays the changes in all entries, and compares every field that callers can write. */
  #logReplay(state: Schemas['Task'], log: readonly Schemas['AuditLogEntry'][]): void {
    const { id, user_id: _owner, created_at: _created, updated_at: _updated, etag: _etag, ...fields } = state;
    try {
      const entries = log.map(({ action, payload }) => ({ action, payload: JSON.parse(payload) as unknown }));
      const unset = Object.fromEntries(Object.keys(fields).map((name) => [name, null]));
      const isSame = isDeepStrictEqual({ ...unset, ...replay(entries) }, { ...fields });
      this.#expect(isSame, `replaying the audit log of ${id} gives another task`);
    } catch (error) {
      this.violations.push(`the audit log of ${id} cannot be replayed: ${String(error)}`);
    }
  }

  /** Checks that the comments equal those in the audit log, and include every acknowledged comment. */
  async #comments(log: readonly Schemas['AuditLogEntry'][], id: string): Promise<void> {
    const comments = (await this.#client.ok('listComments', { id })).body.map((comment) => comment.id);
    const logged = log.filter(({ action }) => action === 'comment');
    const idsLogged = logged.map(({ payload }) => idIn(JSON.parse(payload)));
    const known = this.#ledger.tasks.get(id);
    if (known !== undefined) this.#ledger.tasks.set(id, { ...known, comments });
    for (const comment of known?.comments ?? [])
      this.#expect(comments.includes(comment), `the comment ${comment} is lost`);
    const isLogged = isDeepStrictEqual(comments, idsLogged);
    this.#expect(isLogged, `the comments of ${id} differ from its audit log`);
  }

  async count(): Promise<void> {
    const expected = [...this.#ledger.tasks.values()].filter(({ isDeleted }) => !isDeleted).length;
    const { count } = (await this.#client.ok('listTasks', { query: { limit: 1 } })).body;
    this.#expect(count === expected, `there are ${count} tasks, not ${expected}`);
  }
}
