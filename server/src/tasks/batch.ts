import type { Db } from '../db/tables.ts';
import { Problem, type InvalidField } from '../contract/problem.ts';
import { isId } from '../lib/ids.ts';
import { bodyBytesMax } from '../lib/json-limits.ts';
import type { Caller, Plan, Schemas } from '../contract/operation.ts';
import { newTask, planCreation } from './create.ts';
import { planDeletion, planUpdate } from './change-task.ts';
import { explainMissing, findTasksWithAuditSeq, findTextBytes, type TaskWithAuditSeq } from './find-task.ts';
import { tagsFromText } from './tags.ts';
import { newFields, writtenFields, type Task } from './task.ts';
import { withinQuota, writeOfSeveral, type TaskChange, type TaskQuota } from './task-write.ts';

type Batch = Schemas['TaskBatch'];
type Result = Schemas['BatchResult'];

const operationsMax = 100;
// The statement that writes a task also inserts a row for each of its tags.
const tagsMax = 1000;
// Without this limit, a small request could have a large reply, which is stored with its idempotency key for a day.
const textBytesMax = bodyBytesMax;

/** Errors of a batch that its schema cannot express. */
export function batchErrors({ create, update, delete: deletions }: Batch): InvalidField[] {
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
    ...update.map(({ id }, i) => ({ id, pointer: `/update/${i}/id` })),
    ...deletions.map(({ id }, i) => ({ id, pointer: `/delete/${i}/id` })),
  ];
  return [...Map.groupBy(named, ({ id }) => id.toLowerCase()).values()].flatMap(([first, ...others]) =>
    others.map(({ pointer }) => ({
      pointer,
      code: 'conflicting' as const,
      detail: `must not name the same task as ${first?.pointer}`,
    })),
  );
}

/** Plans the results of all operations, and the write that executes the accepted ones. */
export async function planBatch(
  db: Db,
  caller: Caller,
  batch: Batch,
  { tasksMax }: TaskQuota,
): Promise<Plan<'batchTasks'>> {
  const ids = [...batch.update, ...batch.delete].map(({ id }) => id.toLowerCase()).filter(isId);
  await assertTextBytes(db, caller, { ids, batch });
  const tasks = await readTasks(db, caller, ids);
  const changes: TaskChange[] = [];
  const done = (status: number, { task, change }: { task: Task | null; change?: TaskChange }): Result => {
    if (change !== undefined) changes.push(change);
    return { status, task, error: null };
  };
  const conditionOf = (ifMatch = '*') => ({ caller, headers: { 'if-match': ifMatch } });
  const create = batch.create.map((body) => {
    const task = newTask(caller, newFields(body));
    return done(201, { task, change: planCreation({ task, caller }) });
  });
  const update = batch.update.map(({ id, if_match: ifMatch, ...body }) =>
    orRefused(() => done(200, planUpdate(tasks(id), 'update', writtenFields(body), conditionOf(ifMatch)))),
  );
  const deletions = batch.delete.map(({ id, if_match: ifMatch }) =>
    orRefused(() => done(200, { task: null, change: planDeletion(tasks(id), conditionOf(ifMatch)) })),
  );
  const added = changes.flatMap(({ counts }) => counts).reduce((sum, { count }) => sum + count, 0);
  const write = writeOfSeveral(changes, { ids, userId: caller.id });
  return {
    status: 200,
    body: { create, update, delete: deletions },
    write: withinQuota(write, { userId: caller.id, added, tasksMax }),
  };
}

/** Throws if the tasks and their changes have too much text together. The tasks are read only after this check. */
async function assertTextBytes(
  db: Db,
  { id: userId }: Caller,
  { ids, batch }: { readonly ids: readonly string[]; readonly batch: Batch },
): Promise<void> {
  const sent = [...batch.create, ...batch.update]
    .flatMap(({ description, metadata }) => [description ?? '', metadata ?? ''])
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (sent + (await findTextBytes(db, userId, ids)) <= textBytesMax) return;
  throw new Problem(
    'Payload too large',
    `The tasks of this batch and their changes have more than ${textBytesMax} bytes of text. Send fewer operations at a time.`,
  );
}

/**
 * Reads the tasks of a batch. Resolves to a function that returns the task with an id, and throws if the user has no
 * such task.
 */
async function readTasks(
  db: Db,
  { id: userId }: Caller,
  ids: readonly string[],
): Promise<(id: string) => TaskWithAuditSeq> {
  const found = await findTasksWithAuditSeq(db, userId, ids);
  const tasks = new Map(found.map((each) => [each.task.id, each]));
  const missing = ids.filter((id) => !tasks.has(id));
  const reasonFor = await explainMissing(db, userId, missing);
  return (id) => {
    const task = tasks.get(id.toLowerCase());
    if (task === undefined) throw reasonFor(id.toLowerCase());
    return task;
  };
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
