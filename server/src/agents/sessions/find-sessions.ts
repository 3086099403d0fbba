import { sql, type RawBuilder } from 'kysely';
import { columnList, type RowKey } from '../../db/rows.ts';
import { listByKeys, type List } from '../../db/list.ts';
import type { Db, SessionRow } from '../../db/tables.ts';
import { Problem } from '../../contract/problem.ts';
import { isId } from '../../lib/ids.ts';
import type { Request, Schemas } from '../../contract/operation.ts';
import { runColumns, runFromRow, runTexts, usageOf, type RunColumns } from '../runs/run-store.ts';

type Session = Schemas['Session'];

const ownColumns = ['user_id', 'title', 'metadata', 'updated_at', 'message_count'] as const;
const derivedColumns = ['is_waiting', 'tool_names', 'session_created_at', 'session_tokens'] as const;

/** The latest run of a session, and columns of the session under names that do not collide with the run's columns. */
interface SessionColumns extends RunColumns, Pick<SessionRow, (typeof ownColumns)[number]> {
  /** True if a run of the session waits for decisions. Later runs may be queued behind it. */
  readonly is_waiting: boolean;
  readonly tool_names: string[];
  readonly session_created_at: string;
  readonly session_tokens: readonly [input: number | null, output: number | null];
}

const statusByRun: Readonly<Record<Schemas['Run']['status'], Session['status']>> = {
  queued: 'running',
  running: 'running',
  requires_action: 'requires_action',
  completed: 'idle',
  incomplete: 'idle',
  failed: 'failed',
  cancelled: 'idle',
};

export async function requireSession(db: Db, { id, userId }: RowKey): Promise<Session> {
  const query = sql<SessionColumns>`${selectSessions(userId)} and sessions.id = ${id}`;
  const [row] = (await query.execute(db)).rows;
  if (row === undefined) throw new Problem('Session not found');
  return sessionFromRow(row);
}

export function sessionsOf(
  userId: string,
  { agent_id: agentId = '', status }: Request<'listSessions'>['query'],
): List<SessionColumns> {
  // A malformed id becomes null, which equals no id.
  const withAgent = agentId === '' ? sql`` : sql` and sessions.agent_id = ${isId(agentId) ? agentId : null}`;
  const ofRun = Object.entries(statusByRun).flatMap(([run, session]) => (session === status ? [run] : []));
  const hasStatus =
    status === 'requires_action' ? sql`is_waiting` : sql`not is_waiting and run.status = any(${ofRun})`;
  const withStatus = status === undefined ? sql`` : sql` and ${hasStatus}`;
  return listByKeys({
    entries: sql`${selectSessions(userId)}${withAgent}${withStatus}`,
    columns: [...runColumns, ...ownColumns, ...derivedColumns],
    texts: [...runTexts, 'metadata'],
    keys: { updated_at: 'timestamp', session_id: 'text' },
    descending: true,
  });
}

/** Selects sessions with their latest run. Each has one, because session and run are inserted in one transaction. */
function selectSessions(userId: string): RawBuilder<unknown> {
  // The sums are doubles, because a sum may exceed an integer. A double is exact for whole numbers up to 2^53.
  return sql`
    select run.*, ${sql.join(ownColumns.map((name) => sql.ref(`sessions.${name}`)))},
      sessions.created_at as session_created_at, is_waiting,
      array(select jsonb_object_keys(sessions.approved_tools)) as tool_names, (
        select array[sum(input_tokens), sum(output_tokens)]::float8[] from runs
        where runs.user_id = ${userId} and runs.session_id = sessions.id
      ) as session_tokens
    from sessions cross join lateral (
      select ${columnList(runColumns)} from runs
      where runs.user_id = ${userId} and runs.session_id = sessions.id
      order by seq desc
      limit 1
    ) run cross join lateral (
      select exists (
        select from runs
        where runs.user_id = ${userId} and runs.session_id = sessions.id and runs.status = 'requires_action'
      ) as is_waiting
    ) waiting
    where sessions.user_id = ${userId}`;
}

export function sessionFromRow(row: SessionColumns): Session {
  const { user_id, title, metadata, updated_at, message_count, session_created_at, ...columns } = row;
  const { is_waiting, tool_names, session_tokens, ...run } = columns;
  return {
    id: run.session_id,
    agent_id: run.agent_id,
    user_id,
    title,
    metadata,
    approved_tools: tool_names,
    status: is_waiting ? 'requires_action' : statusByRun[run.status],
    created_at: session_created_at,
    updated_at,
    message_count,
    usage: usageOf(...session_tokens),
    run: runFromRow(run),
  };
}
