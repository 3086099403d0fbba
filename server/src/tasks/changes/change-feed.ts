import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Cluster } from '../../db/citus.ts';
import type { Db } from '../../db/tables.ts';
import { createEventBus } from '../../lib/event-bus.ts';
import { every } from '../../lib/every.ts';
import { logOutage } from '../../ops/log.ts';

/** At this interval, one query finds the users who have changes, for all streams of this process. */
const intervalMs = 500;

/** Notifies the streams of this process of changes that any server has made. */
export interface ChangeFeed {
  /** Aborts when the process shuts down, which ends the streams. */
  readonly closing: AbortSignal;
  /** Resolves to a moment before which no more changes can appear (`findWatermark`). */
  watermark(): Promise<string>;
  /** Each update is a time before which the user may have new changes (`EventBus`). */
  subscribe(userId: string, signal: AbortSignal): () => Promise<string | undefined>;
  /** Ends all streams. */
  readonly close: () => void;
}

export function createChangeFeed(cluster: Cluster, logger: Logger): ChangeFeed {
  const bus = createEventBus<string>((_unread, watermark) => watermark);
  const closing = new AbortController();
  const watermark = (): Promise<string> => findWatermark(cluster);
  let from: string | undefined;
  const poll = async (): Promise<void> => {
    if (bus.topics().length === 0) {
      from = undefined;
      return;
    }
    const before = await watermark();
    // List the users after `watermark()`. A stream that subscribes later calls `watermark()` too, so it misses nothing.
    const users = bus.topics().map(({ userId }) => userId);
    const changed = from === undefined ? users : await findUsersWithChanges(cluster.db, users, from, before);
    for (const userId of changed) bus.publish(userId, before);
    from = before;
  };
  void every(intervalMs, closing.signal, poll, logOutage(logger, outage));
  return {
    closing: closing.signal,
    watermark,
    subscribe: (userId, signal) => bus.subscribe({ id: userId, userId }, signal),
    close: () => {
      closing.abort();
    },
  };
}

const outage = {
  failed: 'changes cannot be read, so their streams wait',
  recovered: 'reading changes has not failed for ten seconds',
};

/**
 * Resolves to a moment, in microseconds since 1970, before which no more audit entries can appear. Transactions do not
 * commit in the order of their entries' times. So a reader in time order must stop at this moment, or it would miss
 * entries.
 */
async function findWatermark({ db, isDistributed }: Cluster): Promise<string> {
  // If `pg_stat_activity` does not show a write yet, its entry will be later than `statement_timestamp()`. A session
  // has a transaction id before it records an entry, because each change first locks or inserts its task. A Citus
  // coordinator needs no transaction id for a write on another node, so on Citus all transactions count.
  const { rows } = await sql<{ watermark: string | number }>`
    select least(
      (extract(epoch from statement_timestamp()) * 1000000)::bigint,
      (
        select min((extract(epoch from xact_start) * 1000000)::bigint) from pg_stat_activity
        where datname = current_database() and application_name ~ '^worktable( |$)' and pid <> pg_backend_pid()
          and (${isDistributed}::boolean or backend_xid is not null)
      )
    ) as watermark`.execute(db);
  return String(rows[0]?.watermark ?? 0);
}

/** The users with changes from `from` up to `before`, exclusive. */
async function findUsersWithChanges(
  db: Db,
  users: readonly string[],
  from: string,
  before: string,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from audit_logs
    where user_id = any(${users}::text[]) and recorded_us >= ${from}::bigint and recorded_us < ${before}::bigint`.execute(
    db,
  );
  return rows.map(({ user_id: userId }) => userId);
}
