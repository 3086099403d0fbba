import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { findLatestRun } from '../runs/run-store.ts';

/** Session ids are chosen by callers, so they are unique for each user only. */
export interface SessionKey {
  readonly id: string;
  readonly userId: string;
}

/** Creates the session unless it exists, and resolves to the id of its agent. */
export async function openSession(db: Db, { id, userId }: SessionKey, agentId: string): Promise<string> {
  const now = sql<string>`clock_timestamp()`;
  const inserted = await db
    .insertInto('sessions')
    .values({ id, user_id: userId, agent_id: agentId, message_count: 0, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('agent_id')
    .executeTakeFirst();
  if (inserted !== undefined) return inserted.agent_id;
  const { agent_id } = await db
    .selectFrom('sessions')
    .select('agent_id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return agent_id;
}

/** The wire form of a session with its latest run. An invalid id needs no query. */
export async function findSession(
  db: Db,
  { id, userId }: SessionKey,
): Promise<Schemas['Session'] | undefined> {
  if (!/^[\w.:-]{1,128}$/.test(id)) return undefined;
  const row = await db
    .selectFrom('sessions')
    .select(['id', 'agent_id', 'user_id', 'created_at', 'updated_at', 'message_count'])
    .select([
      tokens('input_tokens', { id, userId }).as('input_tokens'),
      tokens('output_tokens', { id, userId }).as('output_tokens'),
    ])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { input_tokens, output_tokens, ...session } = row;
  const run = (await findLatestRun(db, { id, userId })) ?? null;
  const usage = input_tokens === null || output_tokens === null ? null : { input_tokens, output_tokens };
  return { ...session, status: statusOf(run), usage, run };
}

/** Null if no run of the session reported any. A double is exact for whole numbers far beyond the range of an integer. */
function tokens(
  column: 'input_tokens' | 'output_tokens',
  { id, userId }: SessionKey,
): ReturnType<typeof sql<number | null>> {
  return sql<number | null>`(
    select sum(${sql.ref(column)})::float8 from runs where user_id = ${userId} and session_id = ${id})`;
}

function statusOf(run: Schemas['Run'] | null): Schemas['Session']['status'] {
  switch (run?.status) {
    case 'queued':
    case 'running':
      return 'running';
    case 'failed':
      return 'failed';
    case 'completed':
    case 'cancelled':
    case undefined:
      return 'idle';
  }
}
