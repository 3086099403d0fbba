import { hash } from 'node:crypto';
import { limitRun, splitText } from '../../lib/event-size.ts';
import type { Schemas } from '../../contract/operation.ts';
import { findAgentOfRun } from '../agent-store.ts';
import { warningsOf, type StoredAgent } from '../agent.ts';
import { findStep, type Preview } from '../runs/preview.ts';
import { findRunAhead, refreshRun, withoutResult } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { readMessages } from '../sessions/message-store.ts';
import type { RunUpdate } from './run-events.ts';

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

/** What a stream has sent, in addition to the messages up to `afterSeq`. */
interface Sent {
  /** The last message of the model, and the number of characters that were sent; Infinity for a whole message. */
  text: { readonly messageId: string; readonly length: number };
  /** The digest of the last state that was sent, by event name. */
  readonly states: Map<RunEvent['event'], string>;
  agent?: StoredAgent;
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
  const { id, session_id: sessionId } = streamed.run;
  const sent: Sent = { text: { messageId: '', length: 0 }, states: new Map() };
  // Subscribe before the first read: a short run may end in between.
  const next = services.runEvents.subscribe({ id, userId: streamed.userId, sessionId }, signal);
  return (async function* () {
    for (let update: RunUpdate | undefined = 'any'; !signal.aborted; update = await next()) {
      const preview = services.workers.findActive(id)?.preview;
      // Read the log before the first piece of a text, so that the messages before it are sent first.
      if (update === 'text' && preview?.messageId === sent.text.messageId)
        yield* textEvents(id, preview, sent);
      else if (yield* readLog(services, streamed, sent, signal)) return;
    }
  })();
}

/** Yields the part of a text that was not sent yet, in pieces. */
function* textEvents(runId: string, { messageId, text }: Preview, sent: Sent): Generator<RunEvent, void> {
  let { length: offset } = sent.text.messageId === messageId ? sent.text : { length: 0 };
  for (const piece of splitText(text.slice(offset))) {
    const data = { run_id: runId, message_id: messageId, offset, text: piece };
    offset += piece.length;
    sent.text = { messageId, length: offset };
    yield { event: 'message.delta', data };
  }
}

/** Returns true if the stream ends with these events, or because the signal has aborted. */
async function* readLog(
  services: AgentServices,
  streamed: StreamedRun,
  sent: Sent,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, boolean> {
  const { db, workers, requestQueue } = services;
  const { userId, until } = streamed;
  const run = await refreshRun(db, streamed.run, userId);
  streamed.run = run;
  const { id, status, session_id: sessionId } = run;
  if (status === 'queued') {
    const ahead = await findRunAhead(db, { id, userId }, sessionId);
    if (ahead !== undefined) yield* onChange(sent, { event: 'run.queued', data: { run, waits_for: ahead } });
    return false;
  }
  if (streamed.afterSeq === undefined) {
    streamed.afterSeq = 0;
    // Send the run as it was when it began, so that a late reader does not see a finished run first.
    yield { event: 'run.started', data: { ...run, status: 'running', ...withoutResult } };
  }
  // Read the preview before the messages, so that no message before it is missing. If another process executes the run,
  // the preview comes from the database and is up to a second old.
  const step = workers.findActive(id) ?? (await findStep(db, { id, userId }));
  let { preview } = step;
  const range = { runId: id, afterSeq: streamed.afterSeq };
  const messages = readMessages(db, requestQueue, { id: sessionId, userId }, range, signal);
  for await (const { seq, message } of messages) {
    streamed.afterSeq = seq;
    if (preview?.messageId === message.id) {
      yield* textEvents(id, preview, sent);
      // This message, and perhaps later ones, were stored after the preview was read, so the preview is out of date.
      preview = undefined;
    }
    if (message.role === 'assistant') sent.text = { messageId: message.id, length: Infinity };
    yield { event: 'message', id: String(seq), data: message };
  }
  // After an abort, messages may be missing. The end of the run would tell the client that it has all of them.
  if (signal.aborted) return true;
  // The reasons why the run may fail or lack tools, as far as this process knows them.
  sent.agent ??= await findAgentOfRun(db, { id: run.agent_id, userId });
  const data = { run_id: id, warnings: warningsOf(sent.agent, services) };
  if (data.warnings.length > 0) yield* onChange(sent, { event: 'run.warning', data });
  if (status === 'requires_action' && until === 'finished') {
    yield* onChange(sent, { event: 'run.requires_action', data: limitRun(run) }, run);
  } else if (status !== 'running') {
    yield { event: `run.${status}`, data: limitRun(run) };
    return true;
  } else {
    if ('waiting' in step) {
      // One event for each pause in which the run waits for its model server.
      const { attempt, reason, retry_after_s } = step.waiting;
      yield* onChange(
        sent,
        { event: 'run.waiting', data: { run_id: id, reason, retry_after_s } },
        { attempt },
      );
    }
    if (preview !== undefined) yield* textEvents(id, preview, sent);
  }
  return false;
}

function* onChange({ states }: Sent, event: RunEvent, state: object = event.data): Generator<RunEvent, void> {
  const digest = hash('sha256', JSON.stringify(state));
  if (states.get(event.event) === digest) return;
  states.set(event.event, digest);
  yield event;
}
