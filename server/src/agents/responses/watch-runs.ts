import type { Logger } from 'pino';
import { readRows, type ReadTarget } from '../../db/read.ts';
import { logOutage } from '../../log.ts';
import { endOfLog, type RunEventBus } from './run-event-bus.ts';

/** How often the runs that requests wait for are read, all by one query. */
const intervalMs = 500;

interface WatchOptions {
  readonly target: ReadTarget;
  readonly runEvents: RunEventBus;
  readonly logger: Logger;
}

/** Publishes what other processes do to the runs that requests of this process wait for. Returns the function that ends it. */
export function watchRuns({ target, runEvents, logger }: WatchOptions): () => void {
  const onError = logOutage(logger, outage);
  let states = new Map<string, string>();
  let isReading = false;
  const read = async (): Promise<void> => {
    const runs = runEvents.topics();
    if (runs.length === 0 || isReading) return;
    isReading = true;
    try {
      const users = [...new Set(runs.map(({ userId }) => userId))];
      const rows = await readRows<RunState>(target, statesOfRuns, [users, runs.map(({ id }) => id)]);
      const latest = new Map(rows.map(({ id, ...state }) => [id, JSON.stringify(state)]));
      // A run without a row was deleted, which also ends the wait of its requests.
      for (const { id } of runs)
        if (!latest.has(id) || states.get(id) !== latest.get(id)) runEvents.publish(id, endOfLog);
      states = latest;
    } catch (error) {
      onError(error);
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(() => void read(), intervalMs).unref();
  return () => {
    clearInterval(timer);
  };
}

interface RunState {
  readonly id: string;
  readonly status: string;
  readonly message_count: number;
}

const statesOfRuns = `
  select run.id, run.status, session.message_count
  from runs run join sessions session on session.user_id = run.user_id and session.id = run.session_id
  where run.user_id = any ($1::text[]) and run.id = any ($2::uuid[])`;

const outage = {
  failed:
    'the runs of other servers cannot be read, so requests wait; further errors are not logged until they can be read',
  recovered: 'the runs of other servers can be read again',
};
