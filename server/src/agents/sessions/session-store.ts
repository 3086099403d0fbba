import { timestamp } from '../../db/timestamps.ts';
import { assert } from '../../db/assert.ts';
import type { Statement } from '../../db/write.ts';
import { validationError } from '../../errors.ts';

/** Session ids are chosen by callers, so they are unique for each user only. */
export interface SessionKey {
  readonly id: string;
  readonly userId: string;
}

/** Statements that create the session unless it exists, and refuse one of another agent. */
export function openSession({ id, userId }: SessionKey, agentId: string): Statement[] {
  const values = [userId, id, agentId];
  return [
    { text: insertSession, values: [...values, timestamp()] },
    { text: assertAgent, values, refuse: () => Promise.reject(validationError([sessionOfOtherAgent])) },
  ];
}

const insertSession = `
  insert into sessions (user_id, id, agent_id, message_count, created_at, updated_at)
  values ($1, $2, $3, 0, $4, $4)
  on conflict do nothing`;

const assertAgent = `select ${assert('agent_id = $3')} from sessions where user_id = $1 and id = $2`;

const sessionOfOtherAgent = {
  pointer: '/context/session_id',
  code: 'conflicting',
  detail: 'must not name a session of another agent',
} as const;

/** Whether a text can be the id of a session. A text that cannot needs no query. */
export function isSessionId(text: string): boolean {
  return /^[\w.:-]{1,128}$/.test(text);
}
