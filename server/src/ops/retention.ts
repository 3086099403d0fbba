import { deleteOldSessions } from '../agents/sessions/session-store.ts';
import type { Config } from '../config/config.ts';
import type { DeleteExpired } from '../db/cleanup.ts';
import { deleteExpiredKeys } from '../db/idempotency-keys.ts';
import { deleteEndedWindows } from '../db/rate-limit-store.ts';
import type { Db } from '../db/tables.ts';
import { deleteOldLogs } from '../tasks/audit-log.ts';

/** What a server deletes by itself: expired keys, ended windows, and what the retention settings say. */
export function expirations(db: Db, { deletedTasksMs, sessionsMs }: Config['retention']): DeleteExpired[] {
  const deletions: DeleteExpired[] = [
    (max) => deleteExpiredKeys(db, max),
    (max) => deleteEndedWindows(db, max),
  ];
  if (deletedTasksMs !== undefined) deletions.push((max) => deleteOldLogs(db, deletedTasksMs, max));
  if (sessionsMs !== undefined) deletions.push((max) => deleteOldSessions(db, sessionsMs, max));
  return deletions;
}
