import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import { readRows, type ReadTarget } from '../../db/read.ts';
import { logOutage } from '../../log.ts';
import type { Schemas } from '../../operation.ts';
import { isInProgress } from '../runs/run-store.ts';
import { endOfLog, type RunEventBus, type RunUpdate } from './run-event-bus.ts';

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
  let states = new Map<string, RunState>();
  let isReading = false;
  const read = async (): Promise<void> => {
    const runs = runEvents.topics();
    if (runs.length === 0 || isReading) return;
    isReading = true;
    try {
      const users = [...new Set(runs.map(({ userId }) => userId))];
      const rows = await readRows<RunState>(target, statesOfRuns, [users, runs.map(({ id }) => id)]);
      const latest = new Map(rows.map((row) => [row.id, row]));
      for (const { id } of runs) {
        const state = latest.get(id);
        // A run without a row was deleted, which also ends the wait of its requests.
        if (state === undefined || !isDeepStrictEqual(states.get(id), state))
          runEvents.publish(id, updateOf(state));
      }
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

interface RunState extends Pick<Schemas['Run'], 'id' | 'status'> {
  /** The sequence number of the last message of the run's session. */
  readonly message_count: number;
}

// The end of the log of a run that goes on would let a stream end before the text that its model still writes.
function updateOf(state: RunState | undefined): RunUpdate {
  if (state === undefined || !isInProgress(state)) return endOfLog;
  return { kind: 'log', upToSeq: state.message_count };
}

const statesOfRuns = `
  select run.id, run.status, session.message_count
  from runs run join sessions session on session.user_id = run.user_id and session.id = run.session_id
  where run.user_id = any ($1::text[]) and run.id = any ($2::uuid[])`;

const outage = {
  failed: 'the runs of other servers cannot be read, so requests wait',
  recovered: 'reading the runs of other servers has not failed for ten seconds',
};
