/**
 * A preload of the server process that kills it with SIGKILL at a statement. KILL_STATEMENT is a part of the statement's
 * text. KILL_AT, such as `before 2` or `after 2`, is its number among those of this process, and whether to kill before the
 * statement or after the commit.
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
  // No statement may be executed until the signal is delivered.
  for (;;);
}
