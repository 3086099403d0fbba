import { createEventBus, type EventBus } from '../../event-bus.ts';

/** What this process publishes about a run: text that its model writes, or that its log has grown up to a message. */
export type RunUpdate =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'log'; readonly upToSeq: number };

/** Covers the whole log of a run: the sequence number is the largest integer of Postgres. */
export const endOfLog: RunUpdate & { kind: 'log' } = { kind: 'log', upToSeq: 2_147_483_647 };

/** The updates of runs, by the ids of the runs. `watchRuns` publishes what other processes do. */
export type RunEventBus = EventBus<RunUpdate>;

export function createRunEventBus(): RunEventBus {
  return createEventBus(coalesce);
}

function coalesce(unread: RunUpdate, next: RunUpdate): RunUpdate | undefined {
  if (unread.kind === 'text' && next.kind === 'text') return { kind: 'text', text: unread.text + next.text };
  return unread.kind === next.kind ? next : undefined;
}
