import { channel } from 'node:diagnostics_channel';

/** Channels for tracers outside this code, which subscribe by name. Subscribers are called synchronously. */

/** Publishes `{ text }` before each statement is sent. */
export const statements = channel('worktable.statement');

/**
 * Publishes after the commit of each transaction, before the code that awaits the commit continues. Statements outside
 * a transaction publish nothing here.
 */
export const commits = channel('worktable.commit');
