import type { Schemas } from '../../operation.ts';
import { subscribeToRun, endOfLog, type Change, type Subscription } from './run-event-bus.ts';
import { findRunMessages } from '../sessions/message-store.ts';
import { isFinished } from '../runs/run-store.ts';
import type { AgentServices } from '../services.ts';
import { runOf } from './wait-for-run.ts';

type RunEvent = Schemas['RunEvent'];

// How far the stream of a run that another process works on may be behind.
const pollMs = 500;

interface StreamedRun {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  /** Whether it was started just now; what another request has started may be over. */
  readonly isNew: boolean;
}

/**
 * Tells a run event by event, from its start to its end, whenever one comes in. Everything but the pieces of text is
 * read from the log, so nothing is missed and a slow reader costs no memory. Ends early when the signal aborts.
 */
export function runEvents(
  services: AgentServices,
  run: StreamedRun,
  until: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  // Listens before anyone reads: a short run may be over by then.
  const news = subscribeToRun(services.agents.changes, run, pollMs);
  until.addEventListener('abort', news.close, { once: true });
  // A signal that has aborted already emits no event, and a stream that is never read never ends by itself.
  if (until.aborted) news.close();
  return streamRun(services, run, { news, until });
}

async function* streamRun(
  services: AgentServices,
  run: StreamedRun,
  { news, until }: { readonly news: Subscription; readonly until: AbortSignal },
): AsyncGenerator<RunEvent, void> {
  const place: Place = { isStarted: false, seq: 0, isEnd: false };
  let changes: readonly Change[] = run.isNew ? [] : [endOfLog];
  try {
    while (!until.aborted) {
      for (const change of changes) {
        yield* change.kind === 'text'
          ? delta(run, place, change.text)
          : readLog(services, run, place, change);
        if (place.isEnd) return;
      }
      const next = await news.next(until);
      // In silence the log is looked at all the same: another process may be at work.
      changes = next.length === 0 ? [endOfLog] : next;
    }
  } finally {
    news.close();
  }
}

/** How far a stream has come. */
interface Place {
  isStarted: boolean;
  isEnd: boolean;
  /** Of the last message that was told. */
  seq: number;
}

function* delta(run: StreamedRun, { isStarted }: Place, text: string): Generator<RunEvent, void> {
  if (isStarted) yield { event: 'message.delta', data: { run_id: run.id, text } };
}

async function* readLog(
  { db }: AgentServices,
  key: StreamedRun,
  place: Place,
  { upToSeq }: { upToSeq: number },
): AsyncGenerator<RunEvent, void> {
  const run = await runOf(db, key);
  if (run.status === 'queued') return;
  if (!place.isStarted) {
    place.isStarted = true;
    yield { event: 'run.started', data: atStart(run) };
  }
  // A reader who is behind hears the pieces of text first that came before the end.
  place.isEnd = isFinished(run) && upToSeq === endOfLog.upToSeq;
  const session = { id: key.sessionId, userId: key.userId };
  const range = { runId: key.id, afterSeq: place.seq, upToSeq };
  for (const { seq, message } of await findRunMessages(db, session, range)) {
    place.seq = seq;
    yield { event: 'message', id: String(seq), data: message };
  }
  if (place.isEnd) yield { event: run.status === 'completed' ? 'run.completed' : 'run.failed', data: run };
}

/** The run as it was when it began, also for one who comes late. */
function atStart(run: Schemas['Run']): Schemas['Run'] {
  return { ...run, status: 'running', output: null, error: null, usage: null, completed_at: null };
}
