import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { validationError } from '../../errors.ts';

/** Creates the session unless it exists. Throws if the session belongs to another agent. */
export async function openSession(transaction: Db, { id, userId }: RowKey, agentId: string): Promise<void> {
  const at = timestamp();
  await transaction
    .insertInto('sessions')
    .values({ id, user_id: userId, agent_id: agentId, message_count: 0, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const session = await transaction
    .selectFrom('sessions')
    .select('agent_id')
    .where(isRow({ id, userId }))
    .executeTakeFirstOrThrow();
  if (session.agent_id !== agentId) throw validationError([sessionOfOtherAgent]);
}

const sessionOfOtherAgent = {
  pointer: '/context/session_id',
  code: 'conflicting',
  detail: 'must not name a session of another agent',
} as const;

/** Returns true if a text can be the id of a session. Any other text needs no query. */
export function isSessionId(text: string): boolean {
  return /^[\w.:-]{1,128}$/.test(text);
}
