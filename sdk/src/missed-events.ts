import { TimeoutError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import type { Run, RunEvent } from './resources.ts';
import type { Sessions } from './sessions.ts';
import { sleep } from './time-limit.ts';

const pollMs = 1_000;

interface Following {
  readonly run: Run;
  /** The last message that has been told already. */
  readonly lastMessageId: string | undefined;
  readonly options: RequestOptions;
  readonly deadlineAtMs: number;
}

/** Follows a run by its session until it has ended, or until a later run of the session hides how it ends. */
export async function* missedEvents(
  sessions: Sessions,
  { run, lastMessageId, options, deadlineAtMs }: Following,
): AsyncGenerator<RunEvent, void, undefined> {
  for (;;) {
    const rest = { ...options, deadlineMs: Math.max(0, deadlineAtMs - Date.now()) };
    const latest = (await sessions.get(run.session_id, rest)).run;
    // Read after the session: when that said the run has ended, these are all its messages.
    const query = lastMessageId === undefined ? {} : { after: lastMessageId };
    for await (const message of sessions.listMessages(run.session_id, query, rest)) {
      lastMessageId = message.id;
      if (message.run_id === run.id) yield { event: 'message', data: message };
    }
    if (latest?.id !== run.id) return;
    const event = terminalEvents[latest.status];
    if (event !== undefined) {
      yield { event, data: latest };
      return;
    }
    if (Date.now() + pollMs >= deadlineAtMs) throw new TimeoutError('deadline');
    await sleep(pollMs, options.signal);
  }
}

const terminalEvents: Readonly<Record<Run['status'], 'run.completed' | 'run.failed' | undefined>> = {
  queued: undefined,
  running: undefined,
  completed: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.failed',
};
