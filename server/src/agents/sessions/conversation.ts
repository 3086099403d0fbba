import { sql, type Selectable } from 'kysely';
import { columnList } from '../../db/rows.ts';
import type { Db, MessageRow } from '../../db/tables.ts';
import type { HeldRun } from '../runs/run-store.ts';

/** A message as the model receives it. Attachments are left out, because they are for the user. */
export type ConversationMessage = Pick<Selectable<MessageRow>, (typeof columns)[number] | 'seq'>;

const columns = [
  ...(['run_id', 'role', 'content', 'tool_calls', 'tool_call_id', 'is_error'] as const),
  ...(['incomplete_reason', 'provider_data'] as const),
];
const turnsMax = 50;
/** The maximum size of a conversation that is read, or that is sent to a model whose context size is unknown. */
export const conversationBytesMax = 512 * 1024;

/**
 * The conversation of a session up to and including a run, ordered by turn.
 *
 * - Messages of later runs are left out, even if the log has them before messages of this run.
 * - If the conversation is too long, its oldest turns are left out. A turn is never cut, so each call keeps its result,
 *   and the turn of the run itself always stays.
 * - If a run is retried after a failure, the text that its model was writing is left out, because the model writes it
 *   again.
 */
export async function findConversation(db: Db, run: HeldRun): Promise<ConversationMessage[]> {
  const { userId, sessionId, seq } = run;
  const selected = columnList(columns);
  // The messages of a turn are peers in the window, so `bytes` is the sum over the turn and all later turns.
  const { rows } = await sql<ConversationMessage>`
    with turn as (
      select id, seq from runs
      where user_id = ${userId} and session_id = ${sessionId} and seq <= ${seq}::bigint
      order by seq desc
      limit ${turnsMax}
    ),
    message as (
      select ${selected}, turn.seq as turn_seq, messages.seq,
        partial and incomplete_reason is null and (
          turn.seq = ${seq}::bigint
          or lead(messages.seq) over (partition by turn.seq order by messages.seq) is not null
        ) as is_left_over,
        sum(
          octet_length(content) + coalesce(octet_length(tool_calls::text), 0)
            + coalesce(octet_length(provider_data::text), 0)
        ) over (order by turn.seq desc) as bytes
      from messages join turn on turn.id = messages.run_id
      where user_id = ${userId} and session_id = ${sessionId}
    )
    select ${selected}, seq from message
    where not is_left_over and (turn_seq = ${seq}::bigint or bytes <= ${conversationBytesMax})
    order by turn_seq, seq`.execute(db);
  return rows;
}
