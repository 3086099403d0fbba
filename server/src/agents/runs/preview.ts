import { sql } from 'kysely';
import { isRow, type RowKey } from '../../db/rows.ts';
import type { Db, StoredWaiting } from '../../db/tables.ts';
import { newId } from '../../lib/ids.ts';
import { appendMessage, failedCall, findRunCalls } from '../sessions/message-store.ts';
import { unknownOutcome } from '../skills/tool.ts';
import { isHeld, type LeasedRun } from './lease.ts';
import { callsWithoutResult } from './next-step.ts';
import type { HeldRun } from './run-store.ts';

/** The part of a message that the model has written so far. */
export interface Preview {
  readonly messageId: string;
  /** Grows by `+=`. The parts are joined only when the text is read, so this takes linear time. */
  text: string;
  /** How much of the text is stored. */
  savedLength?: number;
}

export function newPreview(): Preview {
  return { messageId: newId(), text: '' };
}

/**
 * Stores a preview that has grown. Streams of other processes read it, and the log keeps it if the run ends. Does nothing
 * if the message is already stored or the lease is lost.
 */
export async function savePreview(db: Db, run: LeasedRun, preview: Preview): Promise<void> {
  const { messageId, text, savedLength = 0 } = preview;
  if (text.length === savedLength) return;
  preview.savedLength = text.length;
  await sql`
    update runs set preview_id = ${messageId}, preview = ${text}
    where ${isHeld(run)} and (preview_id is distinct from ${messageId}::uuid or preview is not null)`.execute(
    db,
  );
}

/**
 * Deletes the preview in the transaction that appends its message. The model server has answered, so this also ends the
 * run's wait for it.
 */
export async function endPreview(transaction: Db, key: RowKey, messageId: string): Promise<void> {
  await sql`
    update runs set preview_id = ${messageId}, preview = null, waiting = null
    where ${isRow(key)}`.execute(transaction);
}

interface StoredStep {
  /** The part of the model's message that is stored so far. */
  readonly preview?: Preview;
  /** The pause of a run that waits for its model server. `attempt` counts the attempts before the pause. */
  readonly waiting?: StoredWaiting & { readonly attempt: number };
}

/** Reads the stored preview and pause of the step that a worker is executing. */
export async function findStep(db: Db, key: RowKey): Promise<StoredStep> {
  const columns = ['preview_id', 'preview', 'waiting', 'attempt', 'waited_after_attempt'] as const;
  const row = await db.selectFrom('runs').select(columns).where(isRow(key)).executeTakeFirst();
  if (row === undefined) return {};
  const { preview_id: messageId, preview: text, waiting, attempt } = row;
  const isWaiting = waiting !== null && attempt === row.waited_after_attempt;
  return {
    ...(messageId !== null && text !== null && { preview: { messageId, text } }),
    ...(isWaiting && { waiting: { ...waiting, attempt } }),
  };
}

/**
 * Ends the log of a run that was cancelled or has failed: keeps the text that the model was writing, because the user may
 * have read it, and gives each call without a result a message that says so.
 */
export async function endLog(transaction: Db, run: HeldRun, written?: Preview): Promise<void> {
  const preview = written ?? (await findStep(transaction, run)).preview;
  if (preview !== undefined && preview.text !== '') {
    const { messageId: id, text: content } = preview;
    await endPreview(transaction, run, id);
    await appendMessage(transaction, run, { id, role: 'assistant', content, partial: true });
  }
  for (const { id } of callsWithoutResult(await findRunCalls(transaction, run))) {
    const sentence = id === run.begun_call_id ? endedDuringCall : endedBeforeCall;
    await appendMessage(transaction, run, failedCall(id, sentence));
  }
}

const endedDuringCall = `The run ended during this call. ${unknownOutcome}`;
const endedBeforeCall = 'The run ended before this call had a result.';
