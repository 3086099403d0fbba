import { channel } from 'node:diagnostics_channel';

/** Channels that a tracer outside this code can subscribe to by their names. Subscribers are called synchronously. */

/** Publishes `{ text }` before each statement is sent. */
export const statements = channel('worktable.statement');

/**
 * Publishes after each transaction that was committed, before the code that waits for it continues; not after a statement
 * outside a transaction.
 */
export const commits = channel('worktable.commit');
