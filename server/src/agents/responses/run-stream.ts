import type { Subscription } from '../../event-bus.ts';
import type { Schemas } from '../../operation.ts';
import { onAbort } from '../../until-aborted.ts';
import { endOfLog, type RunUpdate } from './run-event-bus.ts';
import { readRunMessages } from '../sessions/message-store.ts';
import { isInProgress } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { refreshRun } from './wait-for-run.ts';

type RunEvent = Schemas['RunEvent'];

interface StreamedRun {
  readonly run: Schemas['Run'];
  readonly userId: string;
  /** Whether this request started the run. A run that another request started may already be finished. */
  readonly isNew: boolean;
}

/**
 * Streams the events of a run from its start to its end, or until it requires action. Everything but the pieces of text
 * is read from the log, so no event is lost and a slow reader costs little memory. The stream ends early when the signal
 * aborts.
 */
export function createRunStream(
  services: AgentServices,
  streamed: StreamedRun,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  // Subscribe before the first read of the stream: a short run may be finished by then.
  const subscription = services.agents.runEvents.subscribe({ id: streamed.run.id, userId: streamed.userId });
  // The generator's `finally` does not run if it is never read.
  onAbort(signal, subscription.close);
  return streamRun(services, streamed, { subscription, signal });
}

async function* streamRun(
  services: AgentServices,
  { run, userId, isNew }: StreamedRun,
  { subscription, signal }: { readonly subscription: Subscription<RunUpdate>; readonly signal: AbortSignal },
): AsyncGenerator<RunEvent, void> {
  const position: StreamPosition = { run, userId, isStarted: false, seq: 0, isEnd: false };
  let updates: readonly RunUpdate[] = isNew ? [] : [endOfLog];
  try {
    while (!signal.aborted) {
      for (const update of updates) {
        yield* update.kind === 'log' ? readLog(services, position, update) : passingEvent(position, update);
        if (position.isEnd) return;
      }
      updates = await subscription.next(signal);
    }
  } finally {
    subscription.close();
  }
}

interface StreamPosition {
  readonly userId: string;
  /** The run as it was last read. */
  run: Schemas['Run'];
  isStarted: boolean;
  isEnd: boolean;
  /** The sequence number of the last message that was sent. */
  seq: number;
}

/** The event of an update that is not in the log. */
function* passingEvent(
  { run: { id: run_id }, isStarted }: StreamPosition,
  update: Exclude<RunUpdate, { kind: 'log' }>,
): Generator<RunEvent, void> {
  if (!isStarted) return;
  if (update.kind === 'text') yield { event: 'message.delta', data: { run_id, text: update.text } };
  else yield { event: 'run.waiting', data: { run_id, ...update.waiting } };
}

async function* readLog(
  { db }: AgentServices,
  position: StreamPosition,
  { upToSeq }: { upToSeq: number },
): AsyncGenerator<RunEvent, void> {
  const { userId } = position;
  const run = await refreshRun(db, position.run, userId);
  position.run = run;
  if (run.status === 'queued') return;
  if (!position.isStarted) {
    position.isStarted = true;
    yield { event: 'run.started', data: runAtStart(run) };
  }
  // The run may have ended before a slow reader has received its pieces of text; those come before the last event.
  position.isEnd = !isInProgress(run) && upToSeq === endOfLog.upToSeq;
  const session = { id: run.session_id, userId };
  const range = { runId: run.id, afterSeq: position.seq, upToSeq };
  for await (const { seq, message } of readRunMessages(db, session, range)) {
    position.seq = seq;
    yield { event: 'message', id: String(seq), data: message };
  }
  if (position.isEnd) yield { event: lastEvent(run), data: run };
}

function lastEvent({
  status,
}: Schemas['Run']): Exclude<RunEvent['event'], 'run.started' | 'run.waiting' | 'message' | 'message.delta'> {
  switch (status) {
    case 'completed':
    case 'incomplete':
    case 'failed':
    case 'cancelled':
    case 'requires_action':
      return `run.${status}`;
    case 'queued':
    case 'running':
      throw new Error(`The stream of a run cannot end while the run is ${status}.`);
  }
}

/** The run as it was when it began, because a late reader finds it finished. */
function runAtStart(run: Schemas['Run']): Schemas['Run'] {
  const open = {
    ...{ output: null, error: null, incomplete_details: null, required_action: null },
    ...{ usage: null, completed_at: null },
  };
  return { ...run, status: 'running', ...open };
}
