import { sql } from 'kysely';
import { encodeCursor, type CursorScope, type Position } from '../../lib/cursor.ts';
import { listByKeys, readPage } from '../../db/list.ts';
import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../contract/operation.ts';
import { schemaFields } from '../../contract/schema.ts';
import { longColumns, taskColumns, type Task } from '../task.ts';

type Change = Schemas['Change'];

/** The changes of a user, or of one of the user's workspaces if `workspaceId` is not empty. */
export interface ChangeFilter {
  readonly userId: string;
  readonly workspaceId: string;
  /** True if each change includes its task. */
  readonly includesTask: boolean;
}

// The order needs the task's id, because entries of different tasks may have the same time and `seq`.
const keys = { recorded_us: 'bigint', seq: 'bigint', id: 'uuid' } as const;
export const changePosition = Object.values(keys);

/** The position before all changes that were recorded at or after a moment, in microseconds since 1970. */
export function positionAt(recordedUs: string): Position {
  return [recordedUs, '0', '00000000-0000-0000-0000-000000000000'];
}

/** The cursor of a position in the changes that match a filter. */
export function cursorAt(filter: ChangeFilter, position: Position): string {
  return encodeCursor(position, scopeOf(filter));
}

export function scopeOf({ userId, workspaceId }: ChangeFilter): CursorScope {
  return { path: '/api/changes', userId, filters: { workspace_id: workspaceId } };
}

interface ChangesRequest {
  readonly after: Position;
  /** A result of `findWatermark`. Changes from this moment on are left out. */
  readonly watermark: string;
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
  { after, watermark, limit, ...size }: ChangesRequest,
): Promise<ChangePage> {
  const { userId, workspaceId, includesTask } = filter;
  const inWorkspace =
    workspaceId === ''
      ? sql``
      : sql`and (entry.workspace_id = ${workspaceId} or left_workspace_id = ${workspaceId})`;
  const list = listByKeys<ChangeRow>({
    // Postgres leaves the join out if the query has no column of the task.
    entries: sql`
      select entry.*${sql.raw(includesTask ? currentTask : '')}
      from audit_logs entry left join tasks task on task.user_id = ${userId} and task.id = entry.task_id
      where entry.user_id = ${userId} and recorded_us < ${watermark}::bigint ${inWorkspace}`,
    columns: [...entryColumns, 'recorded_us', 'seq', ...(includesTask ? taskColumns.map(currentName) : [])],
    texts: ['payload', ...(includesTask ? longColumns.map(currentName) : [])],
    keys,
    ...size,
  });
  const { entries, next } = await readPage(db, list, { limit, offset: 0, after });
  const changes = entries.map((row) => ({
    // The cast is safe, because `entryColumns` has all keys of `Entry`.
    ...(Object.fromEntries(entryColumns.map((name) => [name, row[name]])) as Entry),
    cursor: cursorAt(filter, list.positionOf(row)),
    ...(includesTask && { task: taskOf(row) }),
  }));
  // `after` may be later than `watermark`, because another call of `findWatermark` may have returned a later moment.
  const end = Number(after[0]) > Number(watermark) ? after : positionAt(watermark);
  return { changes, next: next ?? end, isFull: next !== undefined };
}

const entryColumns = schemaFields('Change', 'cursor', 'task', 'truncated');

type Entry = Pick<Change, (typeof entryColumns)[number]>;

// Rows have this type, because only this server inserts them. A bigint is text in one engine and a number in the other.
type ChangeRow = Entry & {
  readonly recorded_us: string | number;
  readonly seq: string | number;
} & { readonly [Name in keyof Task as CurrentName<Name>]?: Task[Name] | null };

type CurrentName<Name extends keyof Task> = `current_${Name}`;

/** The name of a task's column in a row that also has an entry. Tasks and entries share column names. */
function currentName<Name extends keyof Task>(name: Name): CurrentName<Name> {
  return `current_${name}`;
}

const currentTask = taskColumns.map((name) => `, task.${name} as ${currentName(name)}`).join('');

/** The task of a change; null if it has been deleted. */
function taskOf(row: ChangeRow): Task | null {
  if (row.current_id == null) return null;
  // The cast is safe, because `taskColumns` has all keys of `Task`.
  return Object.fromEntries(taskColumns.map((name) => [name, row[currentName(name)]])) as Task;
}
