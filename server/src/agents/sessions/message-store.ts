import { sql, type Selectable } from 'kysely';
import { listByKeys, type List } from '../../db/list.ts';
import { limitPageBytes } from '../../db/page-size-limit.ts';
import type { RowKey } from '../../db/row-key.ts';
import type { Db, MessageRow, ProviderData } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { isId, newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';

export type Message = Schemas['Message'];

/** The run that a message belongs to. */
export interface LoggedRun {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly agent: { readonly id: string };
}

type NewMessage = Pick<Message, 'role' | 'content'> &
  Partial<Pick<Message, 'id' | 'partial' | 'tool_calls' | 'tool_call_id' | 'is_error' | 'attachments'>> & {
    readonly provider_data?: ProviderData | null;
    readonly incomplete_reason?: MessageRow['incomplete_reason'];
  };

const wireColumns = [
  'id',
  'session_id',
  'run_id',
  'role',
  'content',
  'partial',
  'tool_calls',
  'tool_call_id',
  'is_error',
  'attachments',
  'actor_type',
  'actor_id',
  'created_at',
] as const;

/** The columns whose values can be long. */
const texts = ['content', 'tool_calls', 'attachments'];

/** Appends a message of the agent or the user to the log of the session. Throws if the session does not exist. */
export async function appendMessage(
  transaction: Db,
  { id: runId, userId, sessionId, agent }: LoggedRun,
  { id = newId(), partial = false, tool_call_id = null, is_error = false, ...message }: NewMessage,
  actorType: Message['actor_type'] = 'agent',
): Promise<void> {
  const { rows } = await sql`
    with session as (
      update sessions
      set message_count = message_count + 1, updated_at = greatest(updated_at, ${timestamp()})
      where user_id = ${userId} and id = ${sessionId}
      returning user_id, id, message_count, updated_at
    )
    insert into messages (
      user_id, session_id, seq, created_at,
      id, run_id, role, content, partial, tool_call_id, is_error, tool_calls, attachments, provider_data,
      incomplete_reason, actor_type, actor_id
    )
    select user_id, id, message_count, updated_at,
      ${id}::uuid, ${runId}::uuid, ${message.role}, ${message.content},
      ${partial}::boolean, ${tool_call_id}, ${is_error}::boolean, ${jsonOrNull(message.tool_calls)}::json,
      ${jsonOrNull(message.attachments)}::json, ${jsonOrNull(message.provider_data)}::json,
      ${message.incomplete_reason ?? null}, ${actorType}, ${actorType === 'agent' ? agent.id : userId}
    from session
    returning seq`.execute(transaction);
  if (rows.length === 0) throw new Error('The session of a message does not exist.');
}

/** A message that tells the model why a call has no other result. */
export function failedCall(id: string, content: string): NewMessage {
  return { role: 'tool', content, is_error: true, tool_call_id: id };
}

/** The messages of a session after a position in its log, oldest first. */
export function messagesOf(session: RowKey, afterSeq: number): List<Message & { readonly seq: number }> {
  const after = sql`
    from messages
    where user_id = ${session.userId} and session_id = ${session.id} and seq > ${afterSeq}`;
  return listByKeys({
    entries: sql`select * ${after}`,
    columns: [...wireColumns, 'seq'],
    texts,
    keys: { seq: 'integer' },
    total: sql`select count(*)::int ${after}`,
  });
}

/** The sequence number of a message in the log of its session. */
export async function findSeq(db: Db, session: RowKey, messageId: string): Promise<number | undefined> {
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

/** The tool calls of a run and their results, in the order of the log. */
export function findRunCalls(
  db: Db,
  { id, userId, sessionId }: LoggedRun,
): Promise<Pick<Message, 'tool_calls' | 'tool_call_id'>[]> {
  return db
    .selectFrom('messages')
    .select(['tool_calls', 'tool_call_id'])
    .where('user_id', '=', userId)
    .where('session_id', '=', sessionId)
    .where('run_id', '=', id)
    .orderBy('seq')
    .execute();
}

interface LogRange {
  readonly runId: string;
  readonly afterSeq: number;
  readonly upToSeq: number;
}

// Pages are small, because a slow reader keeps its page in memory.
const streamedBytesMax = 2 ** 16;

/**
 * Yields the messages of one run in a range of the log, with their sequence numbers. Messages may have large pictures.
 */
export async function* readRunMessages(
  db: Db,
  session: RowKey,
  { runId, afterSeq, upToSeq }: LogRange,
): AsyncGenerator<{ seq: number; message: Message }, void> {
  const entries = sql`
    select * from messages
    where user_id = ${session.userId} and session_id = ${session.id} and run_id = ${runId}
      and seq > ${afterSeq} and seq <= ${upToSeq}`;
  const columns = [...wireColumns, 'seq'];
  const page = limitPageBytes({ entries, columns, texts, order: sql`seq`, bytesMax: streamedBytesMax });
  const query = sql<Message & { seq: number; found: number }>`${page}`;
  const { rows } = await query.execute(db);
  for (const { seq, found, ...message } of rows) yield { seq, message };
  const last = rows.at(-1);
  if (last === undefined || last.found === rows.length) return;
  yield* readRunMessages(db, session, { runId, afterSeq: last.seq, upToSeq });
}

function jsonOrNull(
  value: Selectable<MessageRow>['tool_calls' | 'attachments' | 'provider_data'] | undefined,
): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
