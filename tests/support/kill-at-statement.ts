/**
 * A preload that kills the server process with SIGKILL at a statement. KILL_STATEMENT is a part of its text. KILL_AT
 * is, for example, `before 2` or `after 2`: which of the matching statements of this process, and whether to kill the
 * process before the statement or after its commit.
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
