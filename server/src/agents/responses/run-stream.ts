import { hash } from 'node:crypto';
import { streamOf } from '../../lib/event-bus.ts';
import { limitRun, splitText } from '../../lib/event-size.ts';
import type { Schemas } from '../../contract/operation.ts';
import { findAgentOfRun } from '../agent-store.ts';
import { warningsOf, type StoredAgent } from '../agent.ts';
import { findStep, type Preview } from '../runs/preview.ts';
import { findRunAhead, refreshRun, withoutResult } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { readMessages } from '../sessions/message-store.ts';
import type { RunUpdate } from './run-event-bus.ts';

type RunEvent = Schemas['RunEvent'];

interface StreamedRun {
  /** The run as it was last read. */
  run: Schemas['Run'];
  readonly userId: string;
  /** The sequence number of the last message that the client has; undefined for a stream from the start. */
  afterSeq?: number | undefined;
  /** Where the stream ends: when the run requires action, or only when it is finished. */
  readonly until: 'requires_action' | 'finished';
}

/**
 * Streams the events of a run, from its start or after `afterSeq`, to the end that `until` names. Everything except the
 * pieces of text is read from the log, so no event is lost and a slow reader costs little memory. The stream ends early
 * when the signal aborts.
 */
export function createRunStream(
  services: AgentServices,
  streamed: StreamedRun,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  const { run, userId } = streamed;
  const unsent = new UnsentEvents(services, { ...streamed }, signal);
  // Subscribe before the first read: a short run may end in between.
  const subscription = services.runEvents.subscribe({ id: run.id, userId, sessionId: run.session_id });
  return streamOf(subscription, signal, async function* (next) {
    let update: RunUpdate | undefined = 'any';
    for (; !signal.aborted && !unsent.isEnd; update = await next()) yield* unsent.after(update);
  });
}

/** The events of a run that its stream has not sent yet. */
class UnsentEvents {
  /** True if the last update was the end of the stream. */
  isEnd = false;
  readonly #services: AgentServices;
  readonly #streamed: StreamedRun;
  readonly #signal: AbortSignal;
  /** The agent of the run, after the first read. */
  #agent: StoredAgent | undefined;
  /** The digests of the states that were sent: the last one for each event name. */
  readonly #sentStates = new Map<RunEvent['event'], string>();
  /** The ids of the model's messages that were sent. */
  readonly #sentMessageIds = new Set<string>();
  /** The last preview that was sent, and how much of it. */
  #preview = { messageId: '', length: 0 };

  constructor(services: AgentServices, streamed: StreamedRun, signal: AbortSignal) {
    this.#services = services;
    this.#streamed = streamed;
    this.#signal = signal;
  }

  after(update: RunUpdate | undefined): Iterable<RunEvent> | AsyncIterable<RunEvent> {
    const preview = this.#services.workers.findActive(this.#streamed.run.id)?.preview;
    // Read the log before the first piece of a text, so that the messages before it are sent first.
    const isKnown = update === 'text' && preview?.messageId === this.#preview.messageId;
    return isKnown ? this.#previewEvents(preview) : this.#readLog();
  }

  /** The part of a preview that was not sent. */
  *#previewEvents({ messageId, text }: Preview): Generator<RunEvent, void> {
    if (this.#sentMessageIds.has(messageId)) return;
    let { length } = this.#preview.messageId === messageId ? this.#preview : { length: 0 };
    for (const piece of splitText(text.slice(length))) {
      const data = { run_id: this.#streamed.run.id, message_id: messageId, offset: length, text: piece };
      length += piece.length;
      this.#preview = { messageId, length };
      yield { event: 'message.delta', data };
    }
  }

  async *#readLog(): AsyncGenerator<RunEvent, void> {
    const { db, workers, requestQueue } = this.#services;
    const streamed = this.#streamed;
    const { userId } = streamed;
    const run = await refreshRun(db, streamed.run, userId);
    streamed.run = run;
    const key = { id: run.id, userId };
    const { status } = run;
    if (status === 'queued') {
      const ahead = await findRunAhead(db, key, run.session_id);
      if (ahead !== undefined)
        yield* this.#onChange({ event: 'run.queued', data: { run, waits_for: ahead } });
      return;
    }
    if (streamed.afterSeq === undefined) {
      streamed.afterSeq = 0;
      // The run as it was when it began: a late reader should not see a finished run first.
      yield { event: 'run.started', data: { ...run, status: 'running', ...withoutResult } };
    }
    this.isEnd = status !== 'running' && (status !== 'requires_action' || streamed.until === status);
    // Read the text before the messages, so that no earlier message is missing. If this process does not execute the
    // run, the text comes from the database and is up to a second old.
    const step = workers.findActive(run.id) ?? (await findStep(db, key));
    const { preview } = step;
    const range = { runId: run.id, afterSeq: streamed.afterSeq };
    const session = { id: run.session_id, userId };
    const messages = readMessages(db, requestQueue, session, range, this.#signal);
    for await (const { seq, message } of messages) {
      streamed.afterSeq = seq;
      if (preview?.messageId === message.id) yield* this.#previewEvents(preview);
      if (message.role === 'assistant') this.#sentMessageIds.add(message.id);
      yield { event: 'message', id: String(seq), data: message };
    }
    yield* this.#warningEvents();
    if (status !== 'running' && this.isEnd) yield { event: `run.${status}`, data: limitRun(run) };
    else if (status === 'requires_action')
      yield* this.#onChange({ event: 'run.requires_action', data: limitRun(run) }, run);
    else {
      if ('waiting' in step) {
        // One event for each pause in which the run waits for its model server.
        const { attempt, reason, retry_after_s } = step.waiting;
        const data = { run_id: run.id, reason, retry_after_s };
        yield* this.#onChange({ event: 'run.waiting', data }, { attempt });
      }
      if (preview !== undefined) yield* this.#previewEvents(preview);
    }
  }

  /** Yields the reasons why the run may fail or lack tools, as far as this process knows them. */
  async *#warningEvents(): AsyncGenerator<RunEvent, void> {
    const { db, ...services } = this.#services;
    const { run, userId } = this.#streamed;
    this.#agent ??= await findAgentOfRun(db, { id: run.agent_id, userId });
    const data = { run_id: run.id, warnings: warningsOf(this.#agent, services) };
    if (data.warnings.length > 0) yield* this.#onChange({ event: 'run.warning', data });
  }

  *#onChange(event: RunEvent, state: object = event.data): Generator<RunEvent, void> {
    const digest = hash('sha256', JSON.stringify(state));
    if (this.#sentStates.get(event.event) === digest) return;
    this.#sentStates.set(event.event, digest);
    yield event;
  }
}
