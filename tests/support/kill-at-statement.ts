/**
 * A preload that kills the server process with SIGKILL at a statement. KILL_STATEMENT is a part of the statement's
 * text. KILL_AT is `before N` or `after N`: it kills the process before the Nth matching statement, or after the commit
 * of that statement.
 */
import { subscribe } from 'node:diagnostics_channel';

const { KILL_AT = '', KILL_STATEMENT = '' } = process.env;
const [when = '', count = ''] = KILL_AT.split(' ');
let executed = 0;

subscribe('worktable.statement', (message) => {
  const { text } = message as { readonly text: string };
  if (!text.replaceAll(/\s+/g, ' ').includes(KILL_STATEMENT)) return;
  executed += 1;
  if (when === 'before' && executed === Number(count)) kill();
});

subscribe('worktable.commit', () => {
  if (when === 'after' && executed === Number(count)) kill();
});

function kill(): never {
  process.kill(process.pid, 'SIGKILL');
  // Block, so that no statement is executed before the signal arrives.
  for (;;);
}
