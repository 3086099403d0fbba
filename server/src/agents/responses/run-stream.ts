import type { Subscription } from '../../event-bus.ts';
import type { Schemas } from '../../operation.ts';
import { onAbort } from '../../until-aborted.ts';
import { endOfLog, type RunUpdate } from './run-event-bus.ts';
import { readRunMessages } from '../sessions/message-store.ts';
import { findPreview, type Preview } from '../runs/preview.ts';
import { isFinished, isInProgress, withoutResult } from '../runs/run-store.ts';
import { findWaiting } from '../runs/wait-for-model.ts';
import type { AgentServices } from '../services.ts';
import {
  queuedEvents,
  requiredActionEvents,
  waitingEvents,
  warningEvents,
  type StateStream,
} from './state-events.ts';
import { refreshRun } from './wait-for-run.ts';

type RunEvent = Schemas['RunEvent'];

interface StreamedRun {
  readonly run: Schemas['Run'];
  readonly userId: string;
  /** The sequence number of the last message that the client has received; undefined for a stream from the start. */
  readonly afterSeq?: number | undefined;
  /** Where the stream ends: when the run requires action, or only when it is finished. */
  readonly until: 'requires_action' | 'finished';
}

/**
 * Streams the events of a run from its start until it ends or requires action. Everything except the pieces of text is
 * read from the log, so no event is lost and a slow reader costs little memory. The stream ends early when the signal
 * aborts.
 */
export function createRunStream(
  services: AgentServices,
  streamed: StreamedRun,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  // Subscribe before the first read: a short run may end in between.
  const subscription = services.agents.runEvents.subscribe({ id: streamed.run.id, userId: streamed.userId });
  // The `finally` of a generator does not run if nobody has begun to read the generator.
  onAbort(signal, subscription.close);
  return streamRun(services, streamed, { subscription, signal });
}

async function* streamRun(
  services: AgentServices,
  { run, userId, afterSeq, until }: StreamedRun,
  { subscription, signal }: { readonly subscription: Subscription<RunUpdate>; readonly signal: AbortSignal },
): AsyncGenerator<RunEvent, void> {
  const position: StreamPosition = {
    userId,
    isLast: until === 'finished' ? isFinished : (each) => !isInProgress(each),
    run,
    isStarted: afterSeq !== undefined,
    isEnd: false,
    seq: afterSeq ?? 0,
    sentMessageIds: new Set(),
    preview: { messageId: '', length: 0 },
    sent: new Map(),
    agent: undefined,
  };
  let updates: readonly RunUpdate[] = [endOfLog];
  try {
    while (!signal.aborted) {
      for (const update of updates) {
        yield* eventsOf(services, position, update);
        if (position.isEnd) return;
      }
      updates = await subscription.next(signal);
    }
  } finally {
    subscription.close();
  }
}

interface StreamPosition extends StateStream {
  /** Returns true if the stream ends with this state of the run. */
  readonly isLast: (run: Schemas['Run']) => boolean;
  /** The run as it was last read. */
  run: Schemas['Run'];
  isStarted: boolean;
  isEnd: boolean;
  /** The sequence number of the last message that was sent. */
  seq: number;
  /** The ids of the model's messages that were sent. */
  readonly sentMessageIds: Set<string>;
  /** The last preview that was sent, and how much of it. */
  preview: { readonly messageId: string; readonly length: number };
}

function eventsOf(
  services: AgentServices,
  position: StreamPosition,
  update: RunUpdate,
): Iterable<RunEvent> | AsyncIterable<RunEvent> {
  switch (update.kind) {
    case 'text':
      return previewEvents(services, position, update);
    case 'waiting':
      return position.isStarted ? waitingEvents(position, update.waiting) : [];
    case 'log':
      return readLog(services, position, update);
  }
}

/** The unsent part of a piece, preceded by the text that a late stream has missed. */
function* previewEvents(
  { agents }: AgentServices,
  position: StreamPosition,
  { messageId, offset, text }: { messageId: string; offset: number; text: string },
): Generator<RunEvent, void> {
  if (!position.isStarted || position.sentMessageIds.has(messageId)) return;
  const { run, preview } = position;
  const sent = preview.messageId === messageId ? preview.length : 0;
  const whole = offset > sent ? agents.activeRuns.previewOf(run.id) : undefined;
  // The piece belongs to an earlier message, because the model has begun another one.
  if (offset > sent && whole?.messageId !== messageId) return;
  const piece = whole === undefined ? text.slice(sent - offset) : whole.text.slice(sent);
  if (piece === '') return;
  position.preview = { messageId, length: sent + piece.length };
  yield {
    event: 'message.delta',
    data: { run_id: run.id, message_id: messageId, offset: sent, text: piece },
  };
}

async function* readLog(
  services: AgentServices,
  position: StreamPosition,
  { upToSeq }: { upToSeq: number },
): AsyncGenerator<RunEvent, void> {
  const { db, agents } = services;
  const { userId } = position;
  const run = await refreshRun(db, position.run, userId);
  position.run = run;
  if (run.status === 'queued') {
    yield* queuedEvents(services, position);
    return;
  }
  if (!position.isStarted) {
    position.isStarted = true;
    yield { event: 'run.started', data: runAtStart(run) };
  }
  // The run may end before a slow reader has received all text. The last event then follows the text.
  position.isEnd = position.isLast(run) && upToSeq === endOfLog.upToSeq;
  const session = { id: run.session_id, userId };
  // The worker publishes each piece of text after the messages before the piece, so messages beyond `upToSeq` must
  // wait.
  const isLive = agents.activeRuns.has(run.id) && upToSeq !== endOfLog.upToSeq;
  const range = { runId: run.id, afterSeq: position.seq, upToSeq: isLive ? upToSeq : endOfLog.upToSeq };
  for await (const { seq, message } of readRunMessages(db, session, range)) {
    position.seq = seq;
    if (message.role === 'assistant') position.sentMessageIds.add(message.id);
    yield { event: 'message', id: String(seq), data: message };
  }
  yield* warningEvents(services, position);
  if (position.isEnd) yield { event: lastEvent(run), data: run };
  else if (run.status === 'requires_action') yield* requiredActionEvents(position);
  else if (!isLive) yield* stepSoFar(services, position);
}

/**
 * The text that the model has written so far. If this process does not execute the run, the text comes from the
 * database and is up to a second old.
 */
async function* stepSoFar(
  { db, agents }: AgentServices,
  position: StreamPosition,
): AsyncGenerator<RunEvent, void> {
  const key = { id: position.run.id, userId: position.userId };
  const waiting = await findWaiting(db, key);
  if (waiting !== undefined) yield* waitingEvents(position, waiting);
  const preview: Preview | undefined = agents.activeRuns.previewOf(key.id) ?? (await findPreview(db, key));
  if (preview === undefined) return;
  const { messageId, text } = preview;
  yield* previewEvents({ db, agents }, position, { messageId, text, offset: 0 });
}

function lastEvent({ status }: Schemas['Run']): Extract<RunEvent, { data: Schemas['Run'] }>['event'] {
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

/** The run as it was when it began. Without this, the first event would show a late reader a finished run. */
function runAtStart(run: Schemas['Run']): Schemas['Run'] {
  return { ...run, status: 'running', ...withoutResult };
}
