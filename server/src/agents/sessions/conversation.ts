import { sql } from 'kysely';
import type { Db, MessageRow, ProviderData } from '../../db/tables.ts';
import type { Message } from './message-store.ts';
import type { RowKey } from '../../db/row-key.ts';

/** A message as the model receives it, without attachments, which are for the user. */
export type ConversationMessage = Pick<
  Message,
  'run_id' | 'role' | 'content' | 'tool_calls' | 'tool_call_id' | 'is_error'
> & {
  /** The place of the message in the log of the session. */
  readonly seq: number;
  /** Data of the provider, for messages of the run itself; null for earlier messages. */
  readonly provider_data: ProviderData | null;
  readonly incomplete_reason: MessageRow['incomplete_reason'];
};

const turnsMax = 50;
/** How many bytes of a conversation are sent to a model whose own limit is not known. */
export const conversationBytesMax = 512 * 1024;

/**
 * The conversation of a session up to and including a run, ordered by turn. Messages of later runs are left out, even
 * if they precede messages of this run in the log. If the conversation is too long, its oldest turns are left out, each
 * as a whole, so that each tool call keeps its result; the turn of the run itself always stays. If the run failed and
 * is tried again, the text that its model was writing at the failure is left out, because the model writes it again.
 */
export async function findConversation(
  db: Db,
  session: RowKey,
  runSeq: string,
): Promise<ConversationMessage[]> {
  // The messages of one turn are peers in the window, so `bytes` is the sum over the whole turn and all later turns.
  const statement = sql<ConversationMessage>`
    with turn as (
      select id, seq from runs
      where user_id = ${session.userId} and session_id = ${session.id} and seq <= ${runSeq}::bigint
      order by seq desc
      limit ${turnsMax}
    ),
    message as (
      select run_id, role, content, tool_calls, tool_call_id, is_error, incomplete_reason, turn.seq as turn_seq,
        messages.seq,
        case when turn.seq = ${runSeq}::bigint then provider_data end as provider_data,
        partial and incomplete_reason is null as is_left_over,
        sum(octet_length(content) + coalesce(octet_length(tool_calls::text), 0)) over (order by turn.seq desc)
          as bytes
      from messages join turn on turn.id = messages.run_id
      where user_id = ${session.userId} and session_id = ${session.id}
    )
    select run_id, role, content, tool_calls, tool_call_id, is_error, incomplete_reason, provider_data, seq
    from message
    where (turn_seq = ${runSeq}::bigint and not is_left_over) or (turn_seq < ${runSeq}::bigint and bytes <= ${conversationBytesMax})
    order by turn_seq, seq`;
  const { rows } = await statement.execute(db);
  return rows;
}
