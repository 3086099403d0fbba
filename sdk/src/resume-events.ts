import { StreamInterruptedError, TimeoutError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import type { Message, Run, RunEvent } from './resources.ts';
import { isTransient } from './retries.ts';
import type { Sessions } from './sessions.ts';
import { hasStopped, lastEventOf } from './stopped-run.ts';
import { remainingMs, sleep } from './time-limit.ts';

const pollIntervalMs = 1_000;
// Longer than it takes to restart the server, or to deploy a new version of it.
const outageMaxMs = 60_000;

interface ResumeOptions {
  readonly run: Run;
  /** The last message that the caller has received. */
  readonly lastMessageId: string | undefined;
  /** The error that ended the stream; undefined if it ended without one. */
  readonly streamError: unknown;
  readonly options: RequestOptions;
  /** Infinity without a deadline. */
  readonly deadlineAtMs: number;
}

/**
 * Polls the session of a run until the run has ended or requires action. Throws if the session shows a later run instead.
 * While the server is unreachable, continues until the deadline, or for a minute without one.
 */
export async function* resumeEvents(
  sessions: Sessions,
  { run, lastMessageId, streamError, options, deadlineAtMs }: ResumeOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  let giveUpAtMs = outageEndMs(deadlineAtMs);
  for (;;) {
    const request = { ...options, deadlineMs: remainingMs(deadlineAtMs) };
    const progress = await readProgress(sessions, { run, lastMessageId, request }).catch((error: unknown) => {
      if (!isTransient(error) || Date.now() + pollIntervalMs >= giveUpAtMs) throw error;
      return undefined;
    });
    if (progress !== undefined) {
      giveUpAtMs = outageEndMs(deadlineAtMs);
      const { latest, messages } = progress;
      for (const message of messages) {
        lastMessageId = message.id;
        if (message.run_id === run.id) yield { event: 'message', data: message };
      }
      if (latest?.id !== run.id) throw new StreamInterruptedError({ run, cause: streamError });
      if (hasStopped(latest)) {
        yield lastEventOf(latest);
        return;
      }
    }
    if (Date.now() + pollIntervalMs >= deadlineAtMs) throw new TimeoutError('deadline');
    await sleep(pollIntervalMs, options.signal);
  }
}

function outageEndMs(deadlineAtMs: number): number {
  return deadlineAtMs === Infinity ? Date.now() + outageMaxMs : deadlineAtMs;
}

interface ProgressOptions {
  readonly run: Run;
  readonly lastMessageId: string | undefined;
  readonly request: RequestOptions;
}

/** The latest run of the session, and the messages that the caller has not received. */
async function readProgress(
  sessions: Sessions,
  { run, lastMessageId, request }: ProgressOptions,
): Promise<{ latest: Run | null; messages: Message[] }> {
  const latest = (await sessions.get(run.session_id, request)).run;
  // Read the messages after the session: if the session shows that the run has ended, they are complete.
  const query = lastMessageId === undefined ? {} : { after: lastMessageId };
  return { latest, messages: await sessions.listMessages(run.session_id, query, request).toArray() };
}
