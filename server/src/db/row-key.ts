import { sql, type RawBuilder } from 'kysely';

/** The key of a row of a user. Callers choose the ids of sessions, so these are unique for each user only. */
export interface RowKey {
  readonly id: string;
  readonly userId: string;
}

/** The condition for the row with a key. It names the user, so a row of another user is not found. */
export function isRow({ id, userId }: RowKey): RawBuilder<boolean> {
  return sql<boolean>`user_id = ${userId} and id = ${id}`;
}
