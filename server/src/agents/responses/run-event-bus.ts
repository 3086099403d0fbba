import { integerMax } from '../../db/integer.ts';
import type { RowKey } from '../../db/row-key.ts';
import type { StoredWaiting } from '../../db/tables.ts';
import { createEventBus, type EventBus } from '../../lib/event-bus.ts';
import type { FairLimit } from '../../limits/fair-limit.ts';

/** An update of a run or a session: new text of the model of a run, its pause, or new messages in the log. */
export type RunUpdate =
  | PreviewPiece
  | { readonly kind: 'waiting'; readonly waiting: Waiting }
  | { readonly kind: 'log'; readonly upToSeq: number };

/** A pause before the next request to the model server. `attempt` counts the attempts before the pause. */
export type Waiting = StoredWaiting & { readonly attempt: number };

/** A piece of the text that a model is writing. */
export interface PreviewPiece {
  readonly kind: 'text';
  readonly messageId: string;
  /** The length of the text before the piece. */
  readonly offset: number;
  readonly text: string;
}

/**
 * Published when no worker continues a run, because the run has ended or requires action. Every message of a run has a
 * lower sequence number.
 */
export const endOfLog: RunUpdate & { kind: 'log' } = { kind: 'log', upToSeq: integerMax };

/**
 * Publishes the updates of runs by run id, and of sessions by `topicOfSession`. `watchRuns` adds the updates by other
 * processes.
 */
export type RunEventBus = EventBus<RunUpdate>;

/** Sessions of two users may have the same id. The space is unambiguous, because an id has none. */
export function topicOfSession({ userId, id }: RowKey): string {
  return `${userId} ${id}`;
}

export function createRunEventBus(waiters: FairLimit): RunEventBus {
  return createEventBus(waiters, coalesce);
}

function coalesce(unread: RunUpdate, next: RunUpdate): RunUpdate | undefined {
  if (unread.kind === 'text' && next.kind === 'text' && unread.messageId === next.messageId)
    return { ...unread, text: unread.text + next.text };
  if (unread.kind === 'waiting' && next.kind === 'waiting') return next;
  // Keep the greater number: a worker may publish a message after `endOfLog`, and the stream must still end.
  if (unread.kind === 'log' && next.kind === 'log') return unread.upToSeq > next.upToSeq ? unread : next;
  return undefined;
}
