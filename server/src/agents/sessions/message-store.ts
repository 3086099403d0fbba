import { sql, type Selectable } from 'kysely';
import { limitPageBytes } from '../../db/page-size-limit.ts';
import type { Db, MessageRow } from '../../db/tables.ts';
import { isId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import type { PageRequest } from '../../paging.ts';
import type { SessionKey } from './session-store.ts';

export type Message = Schemas['Message'];

export type NewMessage = Pick<Message, 'id' | 'run_id' | 'role' | 'content' | 'actor_type' | 'actor_id'> &
  Partial<Pick<Message, 'tool_calls' | 'tool_call_id' | 'is_error' | 'attachments'>>;

const wireColumns = [
  'id',
  'session_id',
  'run_id',
  'role',
  'content',
  'tool_calls',
  'tool_call_id',
  'is_error',
  'attachments',
  'actor_type',
  'actor_id',
  'created_at',
] as const;

/** Appends a message to the log and resolves to its sequence number. */
export async function appendMessage(db: Db, session: SessionKey, message: NewMessage): Promise<number> {
  const { message_count: seq } = await db
    .updateTable('sessions')
    .set({ message_count: sql`message_count + 1`, updated_at: sql`clock_timestamp()` })
    .where('user_id', '=', session.userId)
    .where('id', '=', session.id)
    .returning('message_count')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('messages')
    .values({
      ...message,
      user_id: session.userId,
      session_id: session.id,
      seq,
      tool_calls: jsonOrNull(message.tool_calls),
      tool_call_id: message.tool_call_id ?? null,
      is_error: message.is_error ?? false,
      attachments: jsonOrNull(message.attachments),
      created_at: sql`clock_timestamp()`,
    })
    .execute();
  return seq;
}

interface MessagePageRequest extends PageRequest {
  /** Only messages with a greater sequence number. */
  readonly afterSeq: number;
}

/** A page of the log, oldest first, and the number of all messages after `afterSeq`. */
export async function findMessages(
  db: Db,
  session: SessionKey,
  { limit, offset, afterSeq }: MessagePageRequest,
): Promise<Schemas['MessageList']> {
  const after = db
    .selectFrom('messages')
    .where('user_id', '=', session.userId)
    .where('session_id', '=', session.id)
    .where('seq', '>', afterSeq);
  const page = after.selectAll().orderBy('seq').limit(limit).offset(offset);
  const { rows: messages } = await sql<Message>`${limitPageBytes({
    entries: sql`${page}`,
    columns: wireColumns,
    texts: ['content', 'tool_calls', 'attachments'],
    order: sql`seq`,
  })}`.execute(db);
  const { count } = await after.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
  return { messages, count };
}

/** The sequence number of a message in the log of its session. */
export async function findSeq(db: Db, session: SessionKey, messageId: string): Promise<number | undefined> {
  if (!isId(messageId)) return undefined;
  const row = await db
    .selectFrom('messages')
    .select('seq')
    .where('user_id', '=', session.userId)
    .where('session_id', '=', session.id)
    .where('id', '=', messageId)
    .executeTakeFirst();
  return row?.seq;
}

interface Range {
  readonly runId: string;
  readonly afterSeq: number;
  readonly upToSeq: number;
}

/** The messages of one run in a range of the log, each with its sequence number. */
export async function findRunMessages(
  db: Db,
  session: SessionKey,
  { runId, afterSeq, upToSeq }: Range,
): Promise<{ seq: number; message: Message }[]> {
  const rows = await db
    .selectFrom('messages')
    .select([...wireColumns, 'seq'])
    .where('user_id', '=', session.userId)
    .where('session_id', '=', session.id)
    .where('run_id', '=', runId)
    .where('seq', '>', afterSeq)
    .where('seq', '<=', upToSeq)
    .orderBy('seq')
    .execute();
  return rows.map(({ seq, ...message }) => ({ seq, message }));
}

function jsonOrNull(value: Selectable<MessageRow>['tool_calls' | 'attachments'] | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
