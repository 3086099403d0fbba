import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import { newId } from '../../ids.ts';
import { appendMessage, type LoggedRun } from '../sessions/message-store.ts';
import { isHeld, type LeasedRun } from './lease.ts';
import { isRow, type RowKey } from '../../db/row-key.ts';

/** The known part of the message that a model is writing. */
export interface Preview {
  readonly messageId: string;
  readonly text: string;
}

/** A preview that grows. Its pieces are joined when its text is read, because joining with each piece takes quadratic time. */
export class GrowingPreview implements Preview {
  readonly messageId = newId();
  #pieces: string[] = [];
  #length = 0;

  append(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  get length(): number {
    return this.#length;
  }

  get text(): string {
    const text = this.#pieces.join('');
    this.#pieces = [text];
    return text;
  }
}

/**
 * Stores a preview for streams of other processes, and for the message that is kept if the run ends. Returns false if the
 * message is stored already, or the lease is lost.
 */
export async function savePreview(db: Db, run: LeasedRun, { messageId, text }: Preview): Promise<boolean> {
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
 * Ends the preview of a message, in the transaction that appends the message. The model server has answered, so the run
 * does not wait for it any more.
 */
export async function endPreview(transaction: Db, key: RowKey, messageId: string): Promise<void> {
  await transaction
    .updateTable('runs')
    .set({ preview_id: messageId, preview: null, waiting: null })
    .where(isRow(key))
    .execute();
}

export async function findPreview(db: Db, key: RowKey): Promise<Preview | undefined> {
  const row = await db
    .selectFrom('runs')
    .select(['preview_id', 'preview'])
    .where(isRow(key))
    .executeTakeFirst();
  if (row?.preview_id == null || row.preview === null) return undefined;
  return { messageId: row.preview_id, text: row.preview };
}

/** Appends the text that the model had written when its run ended, because the user may have read it. */
export async function keepPreview(
  transaction: Db,
  run: LoggedRun,
  written: Preview | undefined,
): Promise<void> {
  const preview = written ?? (await findPreview(transaction, run));
  if (preview === undefined || preview.text === '') return;
  const { messageId: id, text: content } = preview;
  await endPreview(transaction, run, id);
  await appendMessage(transaction, run, { id, role: 'assistant', content, partial: true });
}
