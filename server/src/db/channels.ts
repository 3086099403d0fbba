import { channel } from 'node:diagnostics_channel';

/** Channels that a tracer outside this code can subscribe to by their names. Subscribers are called synchronously. */

/** Has a message `{ text }` before each statement is sent. */
export const statements = channel('worktable.statement');

/** Has a message after each commit, before the code that waits for it continues. */
export const commits = channel('worktable.commit');
