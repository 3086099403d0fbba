import { sql } from 'kysely';
import type { Db } from '../db/tables.ts';
import { insertKey, inTransaction, oneStatement, type Write } from '../db/write.ts';
import { Problem, validationError, type InvalidField } from '../contract/problem.ts';
import { isId } from '../lib/ids.ts';
import { bodyBytesMax } from '../lib/json-limits.ts';
import type { Handler, Schemas } from '../contract/operation.ts';
import { planCreation } from './create.ts';
import { countsOf, planDeletion, planUpdate, statementsOf, type TaskChange } from './change-task.ts';
import { changeCounts } from './count.ts';
import { readTasks } from './find-task.ts';
import { tagsFromText } from './tags.ts';
import { newFields, writtenFields, type Task } from './task.ts';
import { withinQuota, type TaskQuota } from './task-quota.ts';

type Batch = Schemas['TaskBatch'];
type Result = Schemas['BatchResult'];

const operationsMax = 100;
// The statement that writes a task also inserts a row for each of its tags.
const tagsMax = 1000;
// Without this limit, a small request could have a large reply, which is stored with its idempotency key for a day.
const textBytesMax = bodyBytesMax;

/** Plans the results of all operations, and the write that executes the accepted ones. */
export const batchTasks: Handler<'batchTasks', TaskQuota & { readonly db: Db }> = async (
  { caller, body: batch },
  { db, tasksMax },
) => {
  const errors = batchErrors(batch);
  if (errors.length > 0) throw validationError(errors);
  const ids = [...batch.update, ...batch.delete].map(({ id }) => id.toLowerCase()).filter(isId);
  await assertTextBytes(db, caller.id, ids, batch);
  const taskOf = await readTasks(db, caller.id, ids);
  const changes: TaskChange[] = [];
  const done = (status: number, task: Task | null, change?: TaskChange): Result => {
    if (change !== undefined) changes.push(change);
    return { status, task, error: null };
  };
  const conditionOf = (ifMatch = '*') => ({ caller, headers: { 'if-match': ifMatch } });
  const create = batch.create.map((body) => {
    const change = planCreation(caller, newFields(body));
    return done(201, change.task, change);
  });
  const update = batch.update.map(({ id, if_match: ifMatch, ...body }) =>
    orRefused(() => {
      const { task, change } = planUpdate(taskOf(id), 'update', writtenFields(body), conditionOf(ifMatch));
      return done(200, task, change);
    }),
  );
  const deletions = batch.delete.map(({ id, if_match: ifMatch }) =>
    orRefused(() => done(200, null, planDeletion(taskOf(id), conditionOf(ifMatch)))),
  );
  const added = create.length - changes.filter(({ action }) => action === 'delete').length;
  const write = writeOfSeveral(changes, caller.id, ids);
  return {
    status: 200,
    body: { create, update, delete: deletions },
    write: withinQuota(write, { userId: caller.id, added, tasksMax }),
  };
};

/** Errors of a batch that its schema cannot express. */
function batchErrors({ create, update, delete: deletions }: Batch): InvalidField[] {
  const number = create.length + update.length + deletions.length;
  if (number === 0)
    return [{ pointer: '', code: 'required', detail: 'must have an operation in create, update or delete' }];
  if (number > operationsMax)
    return [{ pointer: '', code: 'too_many', detail: `must not have more than ${operationsMax} operations` }];
  const tags = [...create, ...update].flatMap(({ tags }) => tagsFromText(tags ?? null));
  if (tags.length > tagsMax) {
    const detail = `must not have tasks with more than ${tagsMax} tags together`;
    return [{ pointer: '', code: 'too_many', detail }];
  }
  const named = [
    ...update.map(({ id }, i) => ({ id: id.toLowerCase(), pointer: `/update/${i}/id` })),
    ...deletions.map(({ id }, i) => ({ id: id.toLowerCase(), pointer: `/delete/${i}/id` })),
  ];
  return named.flatMap(({ id, pointer }) => {
    const first = named.find((each) => each.id === id)?.pointer;
    const detail = `must not name the same task as ${first}`;
    return first === pointer ? [] : [{ pointer, code: 'conflicting', detail } as const];
  });
}

/** Throws if the tasks and their changes have too much text together. The tasks are read only after this check. */
async function assertTextBytes(db: Db, userId: string, ids: readonly string[], batch: Batch): Promise<void> {
  const sent = [...batch.create, ...batch.update]
    .flatMap(({ description, metadata }) => [description ?? '', metadata ?? ''])
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  // Postgres knows the length of a text without reading it.
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(coalesce(octet_length(description), 0) + coalesce(octet_length(metadata), 0)), 0)::int as bytes
    from tasks where id = any(${ids}::uuid[]) and user_id = ${userId}`.execute(db);
  if (sent + (rows[0]?.bytes ?? 0) <= textBytesMax) return;
  throw new Problem(
    'Payload too large',
    `The tasks of this batch and their changes have more than ${textBytesMax} bytes of text. Send fewer operations at a time.`,
  );
}

/** The result of an operation, or the reason for its refusal. */
function orRefused(operation: () => Result): Result {
  try {
    return operation();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { status, code, message: detail } = error;
    return { status, task: null, error: { code, detail } };
  }
}

/**
 * Writes the changes of several tasks of a user, all or none. Like the write of one change, it locks the tasks first
 * and then the counters, each in a fixed order, which prevents deadlocks.
 */
function writeOfSeveral(changes: readonly TaskChange[], userId: string, ids: readonly string[]): Write {
  return (db, key) =>
    inTransaction(db, async (transaction) => {
      // Insert the key first, so that a repetition waits here until the first request ends.
      if (key !== undefined) await insertKey(key).execute(transaction);
      await sql`
        select id from tasks where user_id = ${userId} and id = any(${ids}::uuid[])
        order by id for update`.execute(transaction);
      for (const change of changes) await oneStatement(statementsOf(change))(transaction);
      await changeCounts(changes.flatMap(countsOf))?.execute(transaction);
    });
}
