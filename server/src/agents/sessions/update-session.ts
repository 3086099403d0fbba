import type { Db, SessionRow } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { isSessionId, type SessionKey } from './session-store.ts';

type SessionFields = Pick<SessionRow, 'title' | 'metadata'>;

/** The columns that an update writes, for the fields in the body. An empty value clears a field. */
export function writtenFields({ title, metadata }: Schemas['SessionUpdate']): Partial<SessionFields> {
  return {
    ...(title !== undefined && { title: nullIfEmpty(title?.trim() ?? null) }),
    ...(metadata !== undefined && { metadata: nullIfEmpty(metadata) }),
  };
}

function nullIfEmpty(text: string | null): string | null {
  return text === '' ? null : text;
}

/** Changes a session, whose `updated_at` stays the time of its latest message. Does nothing if the user has no such session. */
export async function changeSession(
  db: Db,
  { id, userId }: SessionKey,
  fields: Partial<SessionFields>,
): Promise<void> {
  if (!isSessionId(id) || Object.keys(fields).length === 0) return;
  await db.updateTable('sessions').set(fields).where('user_id', '=', userId).where('id', '=', id).execute();
}
