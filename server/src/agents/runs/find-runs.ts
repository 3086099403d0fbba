import { sql } from 'kysely';
import { listPage, readPage } from '../../db/page-size-limit.ts';
import type { Db } from '../../db/tables.ts';
import { isId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import type { Page, PageRequest } from '../../paging.ts';
import { runColumns, runFromRow, runTexts, statusUnfinished, type RunColumns } from './run-store.ts';
import type { RowKey } from '../../db/row-key.ts';

interface RunFilters {
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
  readonly status: Schemas['RunStatus'] | undefined;
}

// Ids of runs sort by creation time, so the primary key has the order of the list.
export const runPosition = ['id'] as const;

/** A page of the user's runs, newest first. */
export async function findRuns(
  db: Db,
  userId: string,
  { agentId = '', sessionId = '', status, ...page }: RunFilters & PageRequest,
): Promise<Page<Schemas['Run']>> {
  // A malformed id matches no agent.
  if (agentId !== '' && !isId(agentId)) return { entries: [], next: undefined };
  const withAgent = agentId === '' ? sql`` : sql` and agent_id = ${agentId}`;
  const withSession = sessionId === '' ? sql`` : sql` and session_id = ${sessionId}`;
  // The status is a literal, because a generic plan with a parameter cannot use the partial index of unfinished runs.
  const withStatus = status === undefined ? sql`` : sql` and status = ${sql.lit(status)}`;
  const list = {
    entries: sql`
      select ${sql.join(runColumns.map((name) => sql.ref(name)))} from runs
      where user_id = ${userId}${withAgent}${withSession}${withStatus}`,
    columns: runColumns,
    texts: runTexts,
    keys: ['id'],
    descending: true,
  };
  const { entries, next } = await readPage<RunColumns>(db, listPage(list, page), page, ({ id }) => [id]);
  return { entries: entries.map(runFromRow), next };
}

type QueuedEvent = Extract<Schemas['RunEvent'], { event: 'run.queued' }>;
type RunAhead = QueuedEvent['data']['waits_for'];

/** Finds the run that a queued run waits for: the oldest unfinished run before it in the session. */
export async function findRunAhead(
  db: Db,
  { id, userId }: RowKey,
  sessionId: string,
): Promise<RunAhead | undefined> {
  const { rows } = await sql<RunAhead>`
    select id as run_id, status from runs
    where user_id = ${userId} and session_id = ${sessionId} and ${statusUnfinished}
      and seq < (select seq from runs where user_id = ${userId} and id = ${id})
    order by seq
    limit 1`.execute(db);
  return rows[0];
}
