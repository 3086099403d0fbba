import { sql } from 'kysely';
import { isRow, type RowKey } from '../../db/row-key.ts';
import type { Db } from '../../db/tables.ts';
import { every } from '../../lib/every.ts';
import { newId } from '../../lib/ids.ts';
import type { Waiting } from '../responses/run-event-bus.ts';
import { appendMessage, type LoggedRun } from '../sessions/message-store.ts';
import { isHeld, LeaseLost, type LeasedRun } from './lease.ts';

// How often the lease is checked and the preview is stored. A cancellation by another process, or a lost lease, is
// noticed within this time.
const pollMs = 1000;

/** The work of this process on a run, until it is disposed. */
export interface ActiveRun extends Disposable {
  /** Aborts with `LeaseLost` when the lease is lost. */
  readonly controller: AbortController;
  /** The message that the model of the run is writing; undefined once it is stored. */
  preview: Preview | undefined;
}

/** The runs that this process executes. */
export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();

  /** Watches the lease of a run, and stores its preview while it grows. */
  add(db: Db, run: LeasedRun): ActiveRun {
    const [controller, ended] = [new AbortController(), new AbortController()];
    const active: ActiveRun = {
      controller,
      preview: undefined,
      [Symbol.dispose]: () => {
        ended.abort();
        if (this.#runs.get(run.id) === active) this.#runs.delete(run.id);
      },
    };
    this.#runs.set(run.id, active);
    let saved = '';
    const check = async (): Promise<void> => {
      const { messageId = '', text = '' } = active.preview ?? {};
      const latest = `${messageId} ${text.length}`;
      const hasGrown = text !== '' && latest !== saved;
      saved = latest;
      if (hasGrown && (await savePreview(db, run, { messageId, text }))) return;
      const held = await db.selectFrom('runs').select('id').where(isHeld(run)).executeTakeFirst();
      if (held === undefined) controller.abort(new LeaseLost(run.id));
    };
    // Ignore errors: the next write fails with them too.
    void every(pollMs, ended.signal, check, () => undefined);
    return active;
  }

  /** Aborts the work on a run. */
  stop(runId: string): void {
    this.#runs.get(runId)?.controller.abort(new LeaseLost(runId));
  }

  /** Returns true if this process executes the run. */
  has(runId: string): boolean {
    return this.#runs.has(runId);
  }

  previewOf(runId: string): Preview | undefined {
    return this.#runs.get(runId)?.preview;
  }
}

/** The part of a message that the model has written so far. */
export interface Preview {
  readonly messageId: string;
  /** Grows by `+=`, whose parts are joined when the text is read: this takes linear time. */
  text: string;
}

export function newPreview(): Preview {
  return { messageId: newId(), text: '' };
}

/**
 * Stores a preview. Streams of other processes read it, and the log keeps it if the run ends. Returns false if the
 * message is already stored or the lease is lost.
 */
async function savePreview(db: Db, run: LeasedRun, { messageId, text }: Preview): Promise<boolean> {
  const row = await db
    .updateTable('runs')
    .set({ preview_id: messageId, preview: text })
    .where(isHeld(run))
    .where(sql<boolean>`(preview_id is distinct from ${messageId}::uuid or preview is not null)`)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Deletes the preview in the transaction that appends its message. The model server has answered, so this also ends the
 * run's wait for it.
 */
export async function endPreview(transaction: Db, key: RowKey, messageId: string): Promise<void> {
  await transaction
    .updateTable('runs')
    .set({ preview_id: messageId, preview: null, waiting: null })
    .where(isRow(key))
    .execute();
}

/**
 * What the database has of the step that a worker is executing: the part of the model's message that was stored last,
 * and the pause of a run that waits for its model server.
 */
export async function findStep(
  db: Db,
  key: RowKey,
): Promise<{ readonly preview?: Preview; readonly waiting?: Waiting }> {
  const row = await db
    .selectFrom('runs')
    .select(['preview_id', 'preview', 'waiting', 'attempt', 'waited_after_attempt'])
    .where(isRow(key))
    .executeTakeFirst();
  if (row === undefined) return {};
  const { preview_id: messageId, preview: text, waiting, attempt } = row;
  const isWaiting = waiting !== null && attempt === row.waited_after_attempt;
  return {
    ...(messageId !== null && text !== null && { preview: { messageId, text } }),
    ...(isWaiting && { waiting: { ...waiting, attempt } }),
  };
}

/** Appends the text that the model had written when its run ended, because the user may have read it. */
export async function keepPreview(
  transaction: Db,
  run: LoggedRun,
  written: Preview | undefined,
): Promise<void> {
  const preview = written ?? (await findStep(transaction, run)).preview;
  if (preview === undefined || preview.text === '') return;
  const { messageId: id, text: content } = preview;
  await endPreview(transaction, run, id);
  await appendMessage(transaction, run, { id, role: 'assistant', content, partial: true });
}
