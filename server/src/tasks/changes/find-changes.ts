import { sql, type RawBuilder } from 'kysely';
import { encodeCursor, type CursorScope, type Position } from '../../lib/cursor.ts';
import { listByKeys, readPage } from '../../db/list.ts';
import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../contract/operation.ts';
import { longColumns, taskColumns, type Task } from '../columns.ts';

type Change = Schemas['Change'];

/** The changes of a user, or of one of the user's workspaces. */
export interface ChangeFilter {
  readonly userId: string;
  readonly workspaceId: string | undefined;
}

// The order needs the task's id, because entries of different tasks may have the same time and `seq`.
const keys = { recorded_us: 'bigint', seq: 'bigint', id: 'uuid' } as const;
export const changePosition = Object.values(keys);

const firstId = '00000000-0000-0000-0000-000000000000';

/** The position before the first change of all. */
export const oldest: Position = ['0', '0', firstId];

/** The position before the first change that is recorded at this moment or later. */
export function positionAt(recordedUs: string): Position {
  return [recordedUs, '0', firstId];
}

/** The cursor of a position, for the changes of a filter. */
export function cursorAt(filter: ChangeFilter, position: Position): string {
  return encodeCursor(position, scopeOf(filter));
}

export function scopeOf({ userId, workspaceId = '' }: ChangeFilter): CursorScope {
  return { path: '/api/changes', userId, filters: { workspace_id: workspaceId } };
}

interface ChangesRequest {
  readonly after: Position;
  /** A result of `findWatermark`. Later changes are left out. */
  readonly watermark: string;
  /** True if each change has its task. */
  readonly includesTask: boolean;
  readonly limit: number;
  /** The page ends with the change that reaches this number of bytes. */
  readonly bytesMax?: number;
}

interface ChangePage {
  readonly changes: Change[];
  readonly next: Position;
  /** True if more changes follow this page before the watermark. */
  readonly isFull: boolean;
}

/** The changes after a position, oldest first. */
export async function findChanges(
  db: Db,
  filter: ChangeFilter,
  { after, watermark, includesTask, limit, ...size }: ChangesRequest,
): Promise<ChangePage> {
  const { userId, workspaceId } = filter;
  const inWorkspace =
    workspaceId === undefined
      ? sql``
      : sql`and (entry.workspace_id = ${workspaceId} or left_workspace_id = ${workspaceId})`;
  const list = listByKeys<ChangeRow>({
    entries: sql`
      select entry.*${includesTask ? currentTask.columns : sql``}
      from audit_logs entry ${includesTask ? currentTask.join(userId) : sql``}
      where entry.user_id = ${userId} and recorded_us < ${watermark}::bigint ${inWorkspace}`,
    columns: [...entryColumns, 'recorded_us', 'seq', ...(includesTask ? taskColumns.map(currentName) : [])],
    texts: ['payload', ...(includesTask ? longColumns.map(currentName) : [])],
    keys,
    ...size,
  });
  const { entries, next } = await readPage(db, list, { limit, offset: 0, after });
  const changes = entries.map((row) => ({
    ...entryOf(row),
    cursor: cursorAt(filter, list.positionOf(row)),
    ...(includesTask && { task: taskOf(row) }),
  }));
  return { changes, next: next ?? latest(after, positionAt(watermark)), isFull: next !== undefined };
}

const entryColumns = [
  'id',
  'task_id',
  'workspace_id',
  'action',
  'actor_type',
  'actor_id',
  'payload',
  'created_at',
  'etag',
] as const satisfies readonly (keyof Change)[];

// The type of a row is correct for the reason given at `auditLogOf`. A bigint is text in one engine and a number in the
// other.
type ChangeRow = Entry & {
  readonly recorded_us: string | number;
  readonly seq: string | number;
} & { readonly [Name in keyof Task as CurrentName<Name>]?: Task[Name] | null };
type Entry = Pick<Change, (typeof entryColumns)[number]>;

function entryOf(row: ChangeRow): Entry {
  // `entryColumns` has the names of all columns of an entry.
  return Object.fromEntries(entryColumns.map((name) => [name, row[name]])) as Entry;
}

type CurrentName<Name extends keyof Task> = `current_${Name}`;

function currentName<Name extends keyof Task>(name: Name): CurrentName<Name> {
  return `current_${name}`;
}

/** Adds the task to each entry, under names that do not collide with the entry's columns. */
const currentTask = {
  columns: sql`, ${sql.join(taskColumns.map((name) => sql`task.${sql.ref(name)} as ${sql.ref(currentName(name))}`))}`,
  join: (userId: string): RawBuilder<unknown> =>
    sql`left join tasks task on task.user_id = ${userId} and task.id = entry.task_id`,
};

/** The task of a change; null if it has been deleted. */
function taskOf(row: ChangeRow): Task | null {
  if (row.current_id == null) return null;
  // `taskColumns` has the names of all columns of a task.
  return Object.fromEntries(taskColumns.map((name) => [name, row[currentName(name)]])) as Task;
}

/**
 * A caller's position may be later than `watermark`, which another call of `findWatermark` may already have exceeded.
 */
function latest(one: Position, other: Position): Position {
  return Number(one[0]) > Number(other[0]) ? one : other;
}
