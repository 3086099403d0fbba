import { integerMax } from '../../db/integer.ts';
import { createEventBus, type EventBus } from '../../event-bus.ts';
import type { FairLimit } from '../../limits/fair-limit.ts';
import type { Schemas } from '../../operation.ts';

/** An update of a run that this process publishes: text that its model writes, a pause, or the new end of its log. */
export type RunUpdate =
  | PreviewPiece
  | { readonly kind: 'waiting'; readonly waiting: Waiting }
  | { readonly kind: 'log'; readonly upToSeq: number };

/** A pause before the next request to the model server, with the number of the attempt that the pause ended. */
export type Waiting = Omit<Schemas['RunWaiting'], 'run_id'> & { readonly attempt: number };

/** A piece of the message that a model is writing. */
export interface PreviewPiece {
  readonly kind: 'text';
  readonly messageId: string;
  /** The length of the text before the piece. */
  readonly offset: number;
  readonly text: string;
}

/** The end of the log: every message of a run has a lower sequence number. */
export const endOfLog: RunUpdate & { kind: 'log' } = { kind: 'log', upToSeq: integerMax };

/** Publishes the updates of runs by run id. `watchRuns` publishes the updates of other processes. */
export type RunEventBus = EventBus<RunUpdate>;

export function createRunEventBus(waiters: FairLimit): RunEventBus {
  return createEventBus(waiters, coalesce);
}

function coalesce(unread: RunUpdate, next: RunUpdate): RunUpdate | undefined {
  if (unread.kind === 'text' && next.kind === 'text' && unread.messageId === next.messageId)
    return { ...unread, text: unread.text + next.text };
  if (unread.kind === 'waiting' && next.kind === 'waiting') return next;
  // The greater number is kept: a worker may publish a message after `endOfLog`, and `endOfLog` must still end the
  // stream.
  if (unread.kind === 'log' && next.kind === 'log') return unread.upToSeq > next.upToSeq ? unread : next;
  return undefined;
}
