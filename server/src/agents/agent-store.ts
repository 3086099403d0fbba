import { sql } from 'kysely';
import { listPage, readPage } from '../db/page-size-limit.ts';
import type { AgentRow, Db } from '../db/tables.ts';
import { isId } from '../ids.ts';
import type { Page, PageRequest } from '../paging.ts';

/** Every query is scoped by the user, so an agent of another user is not found. */
export interface AgentKey {
  readonly id: string;
  readonly userId: string;
}

export type StoredAgent = Omit<AgentRow, 'user_id'>;

const columns = ['id', 'name', 'runtime', 'skills', 'instructions', 'created_at'] as const;

export async function insertAgent(
  db: Db,
  { id, userId }: AgentKey,
  agent: Pick<AgentRow, 'name' | 'runtime' | 'skills' | 'instructions'>,
): Promise<StoredAgent> {
  return db
    .insertInto('agents')
    .values({ ...agent, id, user_id: userId, created_at: sql`now()` })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** A page of the user's agents, newest first, and whether there is a next page. */
export async function findAgents(db: Db, userId: string, page: PageRequest): Promise<Page<StoredAgent>> {
  const list = {
    entries: sql`select * from agents where user_id = ${userId}`,
    columns,
    texts: ['skills', 'instructions'],
    order: sql`created_at desc, id desc`,
  };
  return readPage(db, sql<StoredAgent & { found: number }>`${listPage(list, page)}`, page.limit);
}

/** The agent, if the user has one with this id. A malformed id needs no query. */
export async function findAgent(db: Db, { id, userId }: AgentKey): Promise<StoredAgent | undefined> {
  if (!isId(id)) return undefined;
  return db
    .selectFrom('agents')
    .select(columns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function findAgentName(db: Db, key: AgentKey): Promise<string | undefined> {
  const agent = await findAgent(db, key);
  return agent?.name;
}
