import { TimeoutError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import type { Run, RunEvent } from './resources.ts';
import type { Sessions } from './sessions.ts';
import { sleep } from './time-limit.ts';

const pollIntervalMs = 1_000;

interface ResumeOptions {
  readonly run: Run;
  /** The last message that the caller has received. */
  readonly lastMessageId: string | undefined;
  readonly options: RequestOptions;
  readonly deadlineAtMs: number;
}

/** Polls the session of a run until the run ends, or until the session shows a later run instead. */
export async function* resumeEvents(
  sessions: Sessions,
  { run, lastMessageId, options, deadlineAtMs }: ResumeOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  for (;;) {
    const request = { ...options, deadlineMs: Math.max(0, deadlineAtMs - Date.now()) };
    const latest = (await sessions.get(run.session_id, request)).run;
    // Read the messages after the session: if the session shows that the run has ended, they are complete.
    const query = lastMessageId === undefined ? {} : { after: lastMessageId };
    for await (const message of sessions.listMessages(run.session_id, query, request)) {
      lastMessageId = message.id;
      if (message.run_id === run.id) yield { event: 'message', data: message };
    }
    if (latest?.id !== run.id) return;
    const event = terminalEvents[latest.status];
    if (event !== undefined) {
      yield { event, data: latest };
      return;
    }
    if (Date.now() + pollIntervalMs >= deadlineAtMs) throw new TimeoutError('deadline');
    await sleep(pollIntervalMs, options.signal);
  }
}

const terminalEvents: Readonly<Record<Run['status'], 'run.completed' | 'run.failed' | undefined>> = {
  queued: undefined,
  running: undefined,
  completed: 'run.completed',
  failed: 'run.failed',
  cancelled: 'run.failed',
};
