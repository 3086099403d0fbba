import { sql, type RawBuilder } from 'kysely';
import { insertRows, isRow, type RowKey } from '../db/rows.ts';
import { listByKeys, type List } from '../db/list.ts';
import { oneStatement, type Write } from '../db/write.ts';
import type { AgentRow, Db } from '../db/tables.ts';
import { Problem } from '../contract/problem.ts';
import { schemaFields } from '../contract/schema.ts';
import { isId } from '../lib/ids.ts';
import type { StoredAgent } from './agent.ts';

const columns = schemaFields('Agent', 'status', 'warnings');

function isActive(key: RowKey): RawBuilder<boolean> {
  return sql<boolean>`${isRow(key)} and archived_at is null`;
}

export function agentsOf(userId: string): List<StoredAgent> {
  return listByKeys({
    entries: sql`select * from agents where user_id = ${userId} and archived_at is null`,
    columns,
    texts: ['skills', 'approvals', 'instructions'],
    keys: { created_at: 'timestamp', id: 'id' },
    descending: true,
  });
}

/** The agent with this id, if it belongs to the user and is not archived. A malformed id needs no query. */
export async function findAgent(db: Db, key: RowKey, isLocked = false): Promise<StoredAgent | undefined> {
  if (!isId(key.id)) return undefined;
  const query = db.selectFrom('agents').select(columns).where(isActive(key));
  return (isLocked ? query.forShare() : query).executeTakeFirst();
}

/**
 * Reads the agent of a request, or throws `Agent not found`. With `isLocked`, keeps it from being archived before the
 * transaction ends.
 */
export async function requireAgent(db: Db, key: RowKey, isLocked = false): Promise<StoredAgent> {
  const agent = await findAgent(db, key, isLocked);
  if (agent === undefined) throw new Problem('Agent not found');
  return agent;
}

/** The agent of a run, which may have been archived since the run was started. */
export async function findAgentOfRun(db: Db, key: RowKey): Promise<StoredAgent> {
  return db.selectFrom('agents').select(columns).where(isRow(key)).executeTakeFirstOrThrow();
}

export function insertAgent(agent: StoredAgent & Pick<AgentRow, 'user_id'>): Write {
  const row = { ...agent, model_options: JSON.stringify(agent.model_options) };
  return oneStatement({ first: sql`${insertRows('agents', [row])} returning id` });
}

/** Changes or archives an agent, and resolves to it. */
export async function changeAgent(
  db: Db,
  { id, userId }: RowKey,
  { model_options: options, ...fields }: Partial<StoredAgent> & Partial<Pick<AgentRow, 'archived_at'>>,
): Promise<StoredAgent> {
  if (!isId(id)) throw new Problem('Agent not found');
  return db
    .updateTable('agents')
    .set({ ...fields, ...(options !== undefined && { model_options: JSON.stringify(options) }) })
    .where(isActive({ id, userId }))
    .returning(columns)
    .executeTakeFirstOrThrow(() => new Problem('Agent not found'));
}
