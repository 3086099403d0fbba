import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db, SessionRow } from '../../db/tables.ts';
import type { Schemas } from '../../operation.ts';
import { keepApprovedTools } from './approved-tools.ts';
import { findSession } from './find-sessions.ts';

type SessionFields = Pick<SessionRow, 'title' | 'metadata'>;

/** The columns that an update writes, for the fields in the body. An empty value clears a field. */
function writtenFields({ title, metadata }: Schemas['SessionUpdate']): Partial<SessionFields> {
  return {
    ...(title !== undefined && { title: nullIfEmpty(title?.trim() ?? null) }),
    ...(metadata !== undefined && { metadata: nullIfEmpty(metadata) }),
  };
}

function nullIfEmpty(text: string | null): string | null {
  return text === '' ? null : text;
}

/**
 * Changes a session and resolves to it, or to undefined if the user has no such session. `updated_at` stays the time of
 * the latest message. The session is read before the commit, because a failing read after the commit would report a
 * change as failed.
 */
export async function changeSession(
  db: Db,
  session: RowKey,
  body: Schemas['SessionUpdate'],
): Promise<Schemas['Session'] | undefined> {
  const { approved_tools: names } = body;
  const fields = writtenFields(body);
  return db.transaction().execute(async (transaction) => {
    if (names !== undefined) await keepApprovedTools(transaction, session, names);
    if (Object.keys(fields).length > 0) await setFields(transaction, session, fields);
    return findSession(transaction, session);
  });
}

async function setFields(transaction: Db, key: RowKey, fields: Partial<SessionFields>): Promise<void> {
  await transaction.updateTable('sessions').set(fields).where(isRow(key)).execute();
}
