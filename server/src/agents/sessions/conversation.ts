import { sql } from 'kysely';
import type { Db } from '../../db/tables.ts';
import type { Message } from './message-store.ts';
import type { SessionKey } from './session-store.ts';

/** A message as a model sees it: pictures are for the user. */
export type ConversationMessage = Pick<
  Message,
  'run_id' | 'role' | 'content' | 'tool_calls' | 'tool_call_id' | 'is_error'
>;

const runsRemembered = 50;
const bytesRemembered = 512 * 1024;

/**
 * What was said in a session up to and with a run, turn by turn: a message that waits for a later run is not part of
 * it, although it may be older in the log. Long sessions are remembered from their last turns, as many as there is room
 * for. A turn is remembered whole or not at all, so that no tool call is without its answer; the turn of the run itself
 * always is.
 */
export async function findConversation(
  db: Db,
  session: SessionKey,
  runSeq: string,
): Promise<ConversationMessage[]> {
  // Messages of one turn are peers in the window's order, so each adds up its whole turn and those after it.
  const statement = sql<ConversationMessage>`
    with turn as (
      select id, seq from runs
      where user_id = ${session.userId} and session_id = ${session.id} and seq <= ${runSeq}::bigint
      order by seq desc
      limit ${runsRemembered}
    ),
    said as (
      select run_id, role, content, tool_calls, tool_call_id, is_error, turn.seq as turn_seq, messages.seq,
        sum(octet_length(content) + coalesce(octet_length(tool_calls::text), 0)) over (order by turn.seq desc)
          as bytes
      from messages join turn on turn.id = messages.run_id
      where user_id = ${session.userId} and session_id = ${session.id}
    )
    select run_id, role, content, tool_calls, tool_call_id, is_error
    from said
    where turn_seq = ${runSeq}::bigint or bytes <= ${bytesRemembered}
    order by turn_seq, seq`;
  const { rows } = await statement.execute(db);
  return rows;
}
