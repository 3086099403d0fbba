import type { Schemas } from '../../operation.ts';
import { subscribeToRun, endOfLog, type RunUpdate, type Subscription } from './run-event-bus.ts';
import { findRunMessages } from '../sessions/message-store.ts';
import { isFinished } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { getRun } from './wait-for-run.ts';

type RunEvent = Schemas['RunEvent'];

// The longest delay of a stream whose run another process executes.
const pollMs = 500;

interface StreamedRun {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  /** Whether this request started the run. A run that another request started may already be finished. */
  readonly isNew: boolean;
}

/**
 * Streams the events of a run from its start to its end. Everything but the pieces of text is read from the log, so no
 * event is lost and a slow reader costs no memory. The stream ends early when the signal aborts.
 */
export function createRunStream(
  services: AgentServices,
  run: StreamedRun,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  // Subscribe before the first read of the stream: a short run may be finished by then.
  const subscription = subscribeToRun(services.agents.runEvents, run, pollMs);
  signal.addEventListener('abort', subscription.close, { once: true });
  // A signal that has aborted already emits no event, and the generator's `finally` does not run if it is never read.
  if (signal.aborted) subscription.close();
  return streamRun(services, run, { subscription, signal });
}

async function* streamRun(
  services: AgentServices,
  run: StreamedRun,
  { subscription, signal }: { readonly subscription: Subscription; readonly signal: AbortSignal },
): AsyncGenerator<RunEvent, void> {
  const position: StreamPosition = { isStarted: false, seq: 0, isEnd: false };
  let updates: readonly RunUpdate[] = run.isNew ? [] : [endOfLog];
  try {
    while (!signal.aborted) {
      for (const update of updates) {
        yield* update.kind === 'text'
          ? deltaEvent(run, position, update.text)
          : readLog(services, run, position, update);
        if (position.isEnd) return;
      }
      const next = await subscription.next(signal);
      // Without updates, poll the log: another process may be executing the run.
      updates = next.length === 0 ? [endOfLog] : next;
    }
  } finally {
    subscription.close();
  }
}

interface StreamPosition {
  isStarted: boolean;
  isEnd: boolean;
  /** The sequence number of the last message that was sent. */
  seq: number;
}

function* deltaEvent(
  run: StreamedRun,
  { isStarted }: StreamPosition,
  text: string,
): Generator<RunEvent, void> {
  if (isStarted) yield { event: 'message.delta', data: { run_id: run.id, text } };
}

async function* readLog(
  { db }: AgentServices,
  key: StreamedRun,
  position: StreamPosition,
  { upToSeq }: { upToSeq: number },
): AsyncGenerator<RunEvent, void> {
  const run = await getRun(db, key);
  if (run.status === 'queued') return;
  if (!position.isStarted) {
    position.isStarted = true;
    yield { event: 'run.started', data: runAtStart(run) };
  }
  // The run may be finished before a slow reader has received its pieces of text; those come before the last event.
  position.isEnd = isFinished(run) && upToSeq === endOfLog.upToSeq;
  const session = { id: key.sessionId, userId: key.userId };
  const range = { runId: key.id, afterSeq: position.seq, upToSeq };
  for (const { seq, message } of await findRunMessages(db, session, range)) {
    position.seq = seq;
    yield { event: 'message', id: String(seq), data: message };
  }
  if (position.isEnd) yield { event: run.status === 'completed' ? 'run.completed' : 'run.failed', data: run };
}

/** The run as it was when it began, because a late reader finds it finished. */
function runAtStart(run: Schemas['Run']): Schemas['Run'] {
  return { ...run, status: 'running', output: null, error: null, usage: null, completed_at: null };
}
