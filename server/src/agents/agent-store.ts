import { sql } from 'kysely';
import { listPage, readPage } from '../db/page-size-limit.ts';
import type { Db } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import { assert } from '../db/assert.ts';
import type { Statement } from '../db/write.ts';
import { Problem } from '../errors.ts';
import { isId } from '../ids.ts';
import type { Page, PageRequest } from '../paging.ts';
import type { StoredAgent } from './agent.ts';

/** Every query is scoped by the user, so an agent of another user is not found. */
interface AgentKey {
  readonly id: string;
  readonly userId: string;
}

const columns = ['id', 'name', 'runtime', 'skills', 'approvals', 'instructions', 'created_at'] as const;

export const agentPosition = ['timestamp', 'id'] as const;

/** A page of the user's agents, newest first, and whether there is a next page. */
export async function findAgents(db: Db, userId: string, page: PageRequest): Promise<Page<StoredAgent>> {
  const list = {
    entries: sql`select * from agents where user_id = ${userId} and archived_at is null`,
    columns,
    texts: ['skills', 'approvals', 'instructions'],
    keys: ['created_at', 'id'],
    descending: true,
  };
  const query = sql<StoredAgent & { found: number }>`${listPage(list, page)}`;
  return readPage(db, query, page, ({ created_at: at, id }) => [at, id]);
}

/** The agent, if the user has one with this id that is not archived. A malformed id needs no query. */
export async function findAgent(db: Db, { id, userId }: AgentKey): Promise<StoredAgent | undefined> {
  if (!isId(id)) return undefined;
  return db
    .selectFrom('agents')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
}

/** The agent of a run, which may have been archived since the run was started. */
export async function findAgentOfRun(db: Db, { id, userId }: AgentKey): Promise<StoredAgent> {
  return db
    .selectFrom('agents')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function findAgentName(db: Db, key: AgentKey): Promise<string | undefined> {
  const agent = await findAgent(db, key);
  return agent?.name;
}

/** The statement that refuses an archived agent, and otherwise keeps it from being archived before the transaction ends. */
export function assertActive({ id, userId }: AgentKey): Statement {
  const refuse = (): Promise<never> => Promise.reject(new Problem('Agent not found'));
  return { text: lockActive, values: [userId, id], refuse };
}

const lockActive = `
  select ${assert('count(*) = 1')} from (
    select from agents where user_id = $1 and id = $2 and archived_at is null for share
  ) agent`;

/** Changes an agent that is not archived, and resolves to it; to undefined if the user has no such agent. */
export async function changeAgent(
  db: Db,
  { id, userId }: AgentKey,
  fields: Partial<StoredAgent>,
): Promise<StoredAgent | undefined> {
  if (!isId(id)) return undefined;
  return db
    .updateTable('agents')
    .set(fields)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
}

/** Archives an agent, and resolves to its id; to undefined if the user has no such agent. */
export async function archiveAgent(db: Db, { id, userId }: AgentKey): Promise<string | undefined> {
  if (!isId(id)) return undefined;
  const archived = await db
    .updateTable('agents')
    .set({ archived_at: timestamp() })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return archived?.id;
}
