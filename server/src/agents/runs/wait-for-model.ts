import { sql } from 'kysely';
import type { Logger } from 'pino';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import type { Waiting } from '../responses/run-event-bus.ts';
import type { ModelUnavailable } from '../runtimes/runtime.ts';
import type { AgentServices } from '../services.ts';
import { withLease, type LeasedRun } from './lease.ts';
import type { Pause } from './turns.ts';

interface Unavailable {
  readonly error: ModelUnavailable;
  readonly logger: Logger;
}

/**
 * Lets a run wait before the next request to its model server. The pause grows with each failure. The run then occupies
 * no worker. It fails when it reaches its time limit. Resolves to the pause.
 */
export async function waitForModel(
  { db, config, runEvents }: Pick<AgentServices, 'db' | 'config' | 'runEvents'>,
  run: LeasedRun,
  { error: { reason, message, cause, retryAfterMs }, logger }: Unavailable,
): Promise<Pause> {
  const leftMs = config.runMs - run.elapsedMs - (performance.now() - run.leasedMs);
  let failures = 1;
  let ms = 0;
  let retryAfterS = 0;
  await withLease(db, run, async (transaction) => {
    failures += (await findStored(transaction, run))?.waiting?.failures ?? 0;
    ms = Math.min(pauseMs({ retryAfterMs, failures, random: Math.random() }), Math.max(0, leftMs) + 10);
    retryAfterS = Math.ceil(ms / 100) / 10;
    const waiting = { reason, message, failures, retry_after_s: retryAfterS };
    await sql`
      update runs set waiting = ${JSON.stringify(waiting)}, waited_after_attempt = ${run.attempt}
      where ${isRow(run)}`.execute(transaction);
  });
  if (failures === 1) {
    const detail = cause instanceof Error ? cause.message : undefined;
    logger.warn({ runtime: run.runtime, reason, cause: detail }, 'a run waits for its model server');
  }
  const waiting = { attempt: run.attempt, reason, retry_after_s: retryAfterS };
  runEvents.publish(run.id, { kind: 'waiting', waiting });
  return { runId: run.id, ms };
}

/** The pause of a run that waits for its model server. */
export async function findWaiting(db: Db, run: RowKey): Promise<Waiting | undefined> {
  const stored = await findStored(db, run);
  if (stored?.waiting == null || stored.attempt !== stored.waited_after_attempt) return undefined;
  const { reason, retry_after_s } = stored.waiting;
  return { attempt: stored.attempt, reason, retry_after_s };
}

function findStored(db: Db, key: RowKey) {
  return db
    .selectFrom('runs')
    .select(['waiting', 'attempt', 'waited_after_attempt'])
    .where(isRow(key))
    .executeTakeFirst();
}

const firstPauseMs = 500;
const pauseMsMax = 30_000;
const retryAfterMsMax = 60_000;

interface Failed {
  /** How long the server asks to wait, if it says so. */
  readonly retryAfterMs: number | undefined;
  /** The number of consecutive failed requests. */
  readonly failures: number;
  /** A random number from 0 to 1. */
  readonly random: number;
}

/**
 * The pause before the next request to a server. It grows with each failure. Half of it is random, so that runs that
 * failed together do not retry together. If the server says how long to wait, a quarter of the pause is added, so that
 * a wait of zero does not cause a burst of requests.
 */
export function pauseMs({ retryAfterMs, failures, random }: Failed): number {
  const growingMs = Math.min(pauseMsMax, firstPauseMs * 2 ** (failures - 1)) * (0.5 + random / 2);
  return retryAfterMs === undefined ? growingMs : Math.min(retryAfterMsMax, retryAfterMs + growingMs / 4);
}
