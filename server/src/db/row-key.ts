import { sql, type RawBuilder } from 'kysely';

/** The key of a user's row. Callers choose session ids, so an id is unique only together with its user. */
export interface RowKey {
  readonly id: string;
  readonly userId: string;
}

/** The condition for the row with a key. It includes the user, so the rows of other users are not found. */
export function isRow({ id, userId }: RowKey): RawBuilder<boolean> {
  return sql<boolean>`user_id = ${userId} and id = ${id}`;
}
