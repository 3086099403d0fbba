import type { Db } from '../db/tables.ts';
import type { Write } from '../db/write.ts';
import { Problem, type InvalidField } from '../contract/problem.ts';
import { isId } from '../lib/ids.ts';
import { bodyBytesMax, type Principal, type Schemas } from '../contract/operation.ts';
import type { Task } from './columns.ts';
import { newTask, planCreation } from './create.ts';
import { planDeletion } from './delete.ts';
import { matchesETag } from '../lib/etag.ts';
import { findExisting, findLoggedTasks, findTextBytes, type LoggedTask } from './find-task.ts';
import { tagsFromText } from './tags.ts';
import { newFields, writtenFields } from './task.ts';
import { writeOfSeveral, type TaskChange } from './task-change.ts';
import { planUpdate } from './update.ts';

type Batch = Schemas['TaskBatch'];
type Result = Schemas['BatchResult'];

const operationsMax = 100;
// Each tag is a row of an index, which the statement of its task inserts.
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

interface BatchPlan {
  readonly results: Schemas['BatchResults'];
  /** How many tasks the batch adds, minus the tasks that it deletes. */
  readonly added: number;
  readonly write: Write;
}

/** The results of all operations, and the write of the accepted operations. */
export async function planBatch(db: Db, caller: Principal, batch: Batch): Promise<BatchPlan> {
  const ids = [...batch.update, ...batch.delete].map(({ id }) => id.toLowerCase()).filter(isId);
  await assertTextBytes(db, caller, { ids, batch });
  const tasks = await readTasks(db, caller, ids);
  const changes: TaskChange[] = [];
  const done = (status: number, { task, change }: { task: Task | null; change?: TaskChange }): Result => {
    if (change !== undefined) changes.push(change);
    return { status, task, error: null };
  };
  const create = batch.create.map((body) => {
    const task = newTask(caller, newFields(body));
    return done(201, { task, change: planCreation({ task, caller }) });
  });
  const update = batch.update.map(({ id, if_match: ifMatch, ...body }) =>
    orRefused(() => {
      const logged = tasks(id);
      const fields = writtenFields(body);
      if (Object.keys(fields).length === 0) throw new Problem('No fields to update');
      assertMatches(ifMatch, logged);
      return done(200, planUpdate(logged, { action: 'update', fields, caller }));
    }),
  );
  const deletions = batch.delete.map(({ id, if_match: ifMatch }) =>
    orRefused(() => {
      const logged = tasks(id);
      assertMatches(ifMatch, logged);
      return done(200, { task: null, change: planDeletion(logged, caller) });
    }),
  );
  const results = { create, update, delete: deletions };
  const added = changes.flatMap(({ counts }) => counts).reduce((sum, { count }) => sum + count, 0);
  return { results, added, write: writeOfSeveral(changes, { ids, userId: caller.id }) };
}

/** Throws if the tasks and their changes have too much text together. The tasks are read only after this check. */
async function assertTextBytes(
  db: Db,
  { id: userId }: Principal,
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
  { id: userId }: Principal,
  ids: readonly string[],
): Promise<(id: string) => LoggedTask> {
  const tasks = new Map((await findLoggedTasks(db, userId, ids)).map((logged) => [logged.task.id, logged]));
  const missing = ids.filter((id) => !tasks.has(id));
  const existing = await findExisting(db, missing);
  return (id) => {
    const logged = tasks.get(id.toLowerCase());
    if (logged !== undefined) return logged;
    throw new Problem(existing.has(id.toLowerCase()) ? 'Access denied' : 'Task not found');
  };
}

function assertMatches(ifMatch: string | undefined, { task }: LoggedTask): void {
  if (ifMatch !== undefined && !matchesETag(ifMatch, task.etag)) throw new Problem('Precondition failed');
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
