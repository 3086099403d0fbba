import { sql, type RawBuilder } from 'kysely';
import { listByKeys, type List } from '../../db/list.ts';
import type { RowKey } from '../../db/row-key.ts';
import type { Db, SessionRow } from '../../db/tables.ts';
import { Problem } from '../../contract/problem.ts';
import { isId } from '../../lib/ids.ts';
import type { Request, Schemas } from '../../contract/operation.ts';
import { runColumns, runFromRow, runTexts, usageOf, type RunColumns } from '../runs/run-store.ts';

type Session = Schemas['Session'];

/**
 * The latest run of a session, and the columns of the session under names that do not collide with the run's columns.
 */
interface SessionColumns
  extends RunColumns, Pick<SessionRow, 'user_id' | 'title' | 'metadata' | 'updated_at' | 'message_count'> {
  /** True if a run of the session waits for decisions. Later runs may be queued behind it. */
  readonly is_waiting: boolean;
  /** The names of the approved tools. */
  readonly tool_names: string[];
  readonly session_created_at: string;
  readonly session_input_tokens: number | null;
  readonly session_output_tokens: number | null;
}

const sessionColumns = [
  'user_id',
  'title',
  'metadata',
  'tool_names',
  'is_waiting',
  'updated_at',
  'message_count',
  'session_created_at',
  'session_input_tokens',
  'session_output_tokens',
] as const satisfies readonly (keyof SessionColumns)[];

const statusByRun: Readonly<Record<Schemas['Run']['status'], Session['status']>> = {
  queued: 'running',
  running: 'running',
  requires_action: 'requires_action',
  completed: 'idle',
  incomplete: 'idle',
  failed: 'failed',
  cancelled: 'idle',
};

/** The session with its latest run. */
export async function requireSession(db: Db, { id, userId }: RowKey): Promise<Session> {
  const query = sql<SessionColumns>`${selectSessions(userId)} and sessions.id = ${id}`;
  const { rows } = await query.execute(db);
  const [session] = rows.map(sessionFromRow);
  if (session === undefined) throw new Problem('Session not found');
  return session;
}

/** The user's sessions, latest activity first. */
export function sessionsOf(
  userId: string,
  { agent_id: agentId = '', status }: Request<'listSessions'>['query'],
): List<SessionColumns> {
  // A malformed id becomes null, which equals no id.
  const withAgent = agentId === '' ? sql`` : sql` and sessions.agent_id = ${isId(agentId) ? agentId : null}`;
  const withStatus = status === undefined ? sql`` : sql` and ${hasStatus(status)}`;
  return listByKeys({
    entries: sql`${selectSessions(userId)}${withAgent}${withStatus}`,
    columns: [...runColumns, ...sessionColumns],
    texts: [...runTexts, 'metadata'],
    keys: { updated_at: 'timestamp', session_id: 'text' },
    descending: true,
  });
}

function hasStatus(status: Session['status']): RawBuilder<unknown> {
  if (status === 'requires_action') return sql`is_waiting`;
  const ofRun = Object.entries(statusByRun).flatMap(([run, session]) => (session === status ? [run] : []));
  return sql`not is_waiting and run.status = any(${ofRun})`;
}

/** Selects sessions with their latest run. Each has one, because session and run are inserted in one transaction. */
function selectSessions(userId: string): RawBuilder<unknown> {
  // Sum as a double, because a sum may exceed an integer. A double is exact for whole numbers up to 2^53.
  const sumOf = (column: 'input_tokens' | 'output_tokens'): RawBuilder<unknown> => sql`(
    select sum(${sql.ref(column)})::float8 from runs where user_id = ${userId} and session_id = sessions.id)`;
  return sql`
    select run.*, sessions.user_id, sessions.title, sessions.metadata, sessions.updated_at, sessions.message_count,
      sessions.created_at as session_created_at, is_waiting,
      array(select jsonb_object_keys(sessions.approved_tools)) as tool_names,
      ${sumOf('input_tokens')} as session_input_tokens, ${sumOf('output_tokens')} as session_output_tokens
    from sessions cross join lateral (
      select ${sql.join(runColumns.map((name) => sql.ref(name)))} from runs
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
  const { is_waiting, tool_names, session_input_tokens, session_output_tokens, ...run } = columns;
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
    usage: usageOf(session_input_tokens, session_output_tokens),
    run: runFromRow(run),
  };
}
