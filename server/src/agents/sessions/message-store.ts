import { sql } from 'kysely';
import type { Position } from '../../lib/cursor.ts';
import { listByKeys, readPage, type List } from '../../db/list.ts';
import type { RowKey } from '../../db/rows.ts';
import type { Db, MessageRow, ProviderData, ToolCallDecisions } from '../../db/tables.ts';
import { timestamp } from '../../db/timestamps.ts';
import { limitMessage } from '../../lib/event-size.ts';
import { isId, newId } from '../../lib/ids.ts';
import type { FairQueue } from '../../limits/fair-queue.ts';
import type { Schemas } from '../../contract/operation.ts';
import { schemaFields } from '../../contract/schema.ts';

export type Message = Schemas['Message'];

/** The run that a message belongs to. */
export interface LoggedRun {
  readonly id: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly agentId: string;
}

type NewMessage = Pick<Message, 'role' | 'content'> &
  Partial<Pick<Message, 'id' | 'partial' | 'tool_calls' | 'tool_call_id' | 'is_error' | 'attachments'>> & {
    readonly provider_data?: ProviderData | null;
    readonly incomplete_reason?: MessageRow['incomplete_reason'];
  };

const columns = [...schemaFields('Message', 'truncated'), 'seq', 'decisions'];
/** The columns whose values can be long. */
const texts = ['content', 'tool_calls', 'attachments', 'decisions'];

/** Appends a message of the agent or the user to the log of the session. Throws if the session does not exist. */
export async function appendMessage(
  transaction: Db,
  { id: runId, userId, sessionId, agentId }: LoggedRun,
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
      ${message.incomplete_reason ?? null}, ${actorType}, ${actorType === 'agent' ? agentId : userId}
    from session
    returning seq`.execute(transaction);
  if (rows.length === 0) throw new Error('The session of a message does not exist.');
}

/** A message that tells the model why a call has no other result. */
export function failedCall(id: string, content: string): NewMessage {
  return { role: 'tool', content, is_error: true, tool_call_id: id };
}

/** A message as it is read: with its position in the log, and the decisions about the calls of its run. */
interface LoggedMessage extends Message {
  readonly seq: number;
  readonly decisions: ToolCallDecisions | null;
}

export function messageFromRow({ seq: _, decisions, ...message }: LoggedMessage): Message {
  if (decisions === null || message.tool_calls === null) return message;
  const calls = message.tool_calls.map((call) => {
    const decided = decisions[call.id];
    if (decided === undefined) return call;
    const { approve, arguments: values = null, decided_by: by, decided_at: at = null } = decided;
    return { ...call, decision: { approve, arguments: values, by, at } };
  });
  return { ...message, tool_calls: calls };
}

interface MessageRange {
  /** The position in the log of the session after which the messages begin. */
  readonly afterSeq: number;
  readonly runId?: string;
  readonly descending?: boolean;
}

/**
 * The messages of a session, or of one of its runs, and their number unless `bytesMax` is given. The subquery names the
 * user again, so that Citus asks one node.
 */
export function messagesOf(
  { id, userId }: RowKey,
  { afterSeq, runId, descending = false }: MessageRange,
  bytesMax?: number,
): List<LoggedMessage> {
  const ofRun = runId === undefined ? sql`` : sql` and run_id = ${runId}`;
  const matching = sql`
    from messages where user_id = ${userId} and session_id = ${id} and seq > ${afterSeq}${ofRun}`;
  return listByKeys({
    entries: sql`
      select messages.*, case when tool_calls is not null then (
        select decisions from runs where runs.user_id = ${userId} and runs.id = run_id
      ) end as decisions ${matching}`,
    columns,
    texts,
    keys: { seq: 'integer' },
    descending,
    ...(bytesMax === undefined ? { total: sql`select count(*)::int ${matching}` } : { bytesMax }),
  });
}

/** The sequence number of a message in the log of its session; undefined if the session does not have the message. */
export async function findSeq(db: Db, session: RowKey, messageId: string): Promise<number | undefined> {
  if (!isId(messageId)) return undefined;
  const { rows } = await sql<{ seq: number }>`
    select seq from messages
    where user_id = ${session.userId} and session_id = ${session.id} and id = ${messageId}`.execute(db);
  return rows[0]?.seq;
}

type CallMessage = Pick<Message, 'tool_calls' | 'tool_call_id'>;

/** For each message of a run, in the order of the log: its calls, and the id of the call that it answers. */
export async function findRunCalls(db: Db, run: LoggedRun): Promise<CallMessage[]> {
  const { rows } = await sql<CallMessage>`
    select tool_calls, tool_call_id from messages
    where user_id = ${run.userId} and session_id = ${run.sessionId} and run_id = ${run.id}
    order by seq`.execute(db);
  return rows;
}

// Pages are small, because a page stays in memory until its slow reader has taken it.
const streamedPage = { limit: 100, offset: 0 };
const streamedBytesMax = 2 ** 16;

/**
 * Yields the messages of a range with their sequence numbers, each cut to the size of an event. Stops if the signal
 * aborts. The queue gives each read of a page its turn, so that one user's streams do not occupy the database.
 */
export async function* readMessages(
  db: Db,
  queue: FairQueue,
  session: RowKey,
  range: MessageRange,
  signal: AbortSignal,
): AsyncGenerator<{ seq: number; message: Message }, void> {
  const list = messagesOf(session, range, streamedBytesMax);
  let after: Position | undefined;
  do {
    const read = async () => {
      const { entries, next } = await readPage(db, list, { ...streamedPage, after });
      return {
        next,
        logged: entries.map((row) => ({ seq: row.seq, message: limitMessage(messageFromRow(row)) })),
      };
    };
    const page = await queue.run(session.userId, read, { waitMs: Infinity });
    for (const each of page.logged) {
      if (signal.aborted) return;
      yield each;
    }
    after = page.next;
  } while (after !== undefined && !signal.aborted);
}

export function jsonOrNull(value: unknown): string | null {
  return value == null ? null : JSON.stringify(value);
}
