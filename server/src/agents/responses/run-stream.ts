import type { Subscription } from '../../event-bus.ts';
import { limitRun, splitText } from '../../event-size.ts';
import type { Schemas } from '../../operation.ts';
import { onAbort } from '../../until-aborted.ts';
import { findPreview, type Preview } from '../runs/preview.ts';
import { isFinished, isInProgress, withoutResult } from '../runs/run-store.ts';
import { findWaiting } from '../runs/wait-for-model.ts';
import type { AgentServices } from '../services.ts';
import { readMessages } from '../sessions/message-store.ts';
import { endOfLog, type PreviewPiece, type RunUpdate, type Waiting } from './run-event-bus.ts';
import {
  queuedEvents,
  requiredActionEvents,
  waitingEvents,
  warningEvents,
  type StateStream,
} from './state-events.ts';
import { refreshRun } from './wait-for-run.ts';

type RunEvent = Schemas['RunEvent'];

type StreamServices = Pick<
  AgentServices,
  'db' | 'requestQueue' | 'runEvents' | 'activeRuns' | 'runtimes' | 'skills'
>;

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
  services: StreamServices,
  streamed: StreamedRun,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  // Subscribe before the first read: a short run may end in between.
  const subscription = services.runEvents.subscribe({ id: streamed.run.id, userId: streamed.userId });
  // The `finally` of a generator does not run if nobody has begun to read the generator.
  onAbort(signal, subscription.close);
  return streamRun(new UnsentEvents(services, streamed, signal), subscription, signal);
}

async function* streamRun(
  unsent: UnsentEvents,
  subscription: Subscription<RunUpdate>,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  let updates: readonly RunUpdate[] = [endOfLog];
  try {
    while (!signal.aborted) {
      for (const update of updates) {
        yield* unsent.after(update);
        if (unsent.isEnd) return;
      }
      updates = await subscription.next(signal);
    }
  } finally {
    subscription.close();
  }
}

interface StepSoFar {
  readonly waiting: Waiting | undefined;
  readonly preview: Preview | undefined;
}

/** The events of a run that its stream has not sent yet. */
class UnsentEvents implements StateStream {
  readonly userId: string;
  /** The run as it was last read. */
  run: Schemas['Run'];
  readonly sent: StateStream['sent'] = new Map();
  agent: StateStream['agent'];
  /** True if the last update was the end of the stream. */
  isEnd = false;
  readonly #services: StreamServices;
  readonly #until: StreamedRun['until'];
  readonly #inTurn: <Result>(read: () => Promise<Result>) => Promise<Result | undefined>;
  #isStarted: boolean;
  /** The sequence number of the last message that was sent. */
  #seq: number;
  /** The ids of the model's messages that were sent. */
  readonly #sentMessageIds = new Set<string>();
  /** The last preview that was sent, and how much of it. */
  #preview = { messageId: '', length: 0 };

  constructor(services: StreamServices, { run, userId, afterSeq, until }: StreamedRun, signal: AbortSignal) {
    this.#services = services;
    this.#inTurn = (read) => services.requestQueue.runPiece(userId, signal, read);
    this.#until = until;
    this.#isStarted = afterSeq !== undefined;
    this.#seq = afterSeq ?? 0;
    this.userId = userId;
    this.run = run;
  }

  after(update: RunUpdate): Iterable<RunEvent> | AsyncIterable<RunEvent> {
    switch (update.kind) {
      case 'text':
        return this.#previewEvents(update);
      case 'waiting':
        return this.#isStarted ? waitingEvents(this, update.waiting) : [];
      case 'log':
        return this.#readLog(update.upToSeq);
    }
  }

  /** The unsent part of a piece, preceded by the text that a late stream has missed. */
  *#previewEvents({ messageId, offset, text }: Omit<PreviewPiece, 'kind'>): Generator<RunEvent, void> {
    if (!this.#isStarted || this.#sentMessageIds.has(messageId)) return;
    const sent = this.#preview.messageId === messageId ? this.#preview.length : 0;
    const whole = offset > sent ? this.#services.activeRuns.previewOf(this.run.id) : undefined;
    // The piece belongs to an earlier message, because the model has begun another one.
    if (offset > sent && whole?.messageId !== messageId) return;
    let length = sent;
    for (const piece of splitText(whole === undefined ? text.slice(sent - offset) : whole.text.slice(sent))) {
      const data = { run_id: this.run.id, message_id: messageId, offset: length, text: piece };
      length += piece.length;
      this.#preview = { messageId, length };
      yield { event: 'message.delta', data };
    }
  }

  async *#readLog(upToSeq: number): AsyncGenerator<RunEvent, void> {
    const { db, activeRuns } = this.#services;
    const run = await refreshRun(db, this.run, this.userId);
    this.run = run;
    if (run.status === 'queued') {
      yield* queuedEvents(db, this);
      return;
    }
    if (!this.#isStarted) {
      this.#isStarted = true;
      yield { event: 'run.started', data: runAtStart(run) };
    }
    // The run may end before a slow reader has received all text. The last event then follows the text.
    const isLast = this.#until === 'finished' ? isFinished(run) : !isInProgress(run);
    this.isEnd = isLast && upToSeq === endOfLog.upToSeq;
    const session = { id: run.session_id, userId: this.userId };
    // The worker publishes each piece of text after the messages before the piece, so messages beyond `upToSeq` must
    // wait.
    const isLive = activeRuns.has(run.id) && upToSeq !== endOfLog.upToSeq;
    const range = {
      ...{ runId: run.id, afterSeq: this.#seq, inTurn: this.#inTurn },
      upToSeq: isLive ? upToSeq : endOfLog.upToSeq,
    };
    // Read before the messages, which then include all that the text follows.
    const stepSoFar = isLive ? undefined : await this.#findStepSoFar();
    for await (const { seq, message } of readMessages(db, session, range)) {
      this.#seq = seq;
      if (message.role === 'assistant') this.#sentMessageIds.add(message.id);
      yield { event: 'message', id: String(seq), data: message };
    }
    yield* warningEvents(this.#services, this);
    if (this.isEnd) yield { event: lastEvent(run), data: limitRun(run) };
    else if (run.status === 'requires_action') yield* requiredActionEvents(this);
    else if (stepSoFar !== undefined) yield* this.#stepEvents(stepSoFar);
  }

  /**
   * The pause of the run, and the text that its model has written so far. If this process does not execute the run, the
   * text comes from the database and is up to a second old.
   */
  async #findStepSoFar(): Promise<StepSoFar> {
    const { db, activeRuns } = this.#services;
    const key = { id: this.run.id, userId: this.userId };
    const waiting = await findWaiting(db, key);
    return { waiting, preview: activeRuns.previewOf(key.id) ?? (await findPreview(db, key)) };
  }

  *#stepEvents({ waiting, preview }: StepSoFar): Generator<RunEvent, void> {
    if (waiting !== undefined) yield* waitingEvents(this, waiting);
    if (preview !== undefined)
      yield* this.#previewEvents({ messageId: preview.messageId, text: preview.text, offset: 0 });
  }
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
