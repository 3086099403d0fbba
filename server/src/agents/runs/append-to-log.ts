import type { Statement } from '../../db/write.ts';
import { newId } from '../../ids.ts';
import { appendMessage, type NewMessage } from '../sessions/message-store.ts';
import type { LeasedRun } from './lease.ts';

type LogMessage = Omit<NewMessage, 'id' | 'run_id' | 'actor_type' | 'actor_id'>;

/** The statement that appends a message of the agent to the log of its run. */
export function appendToLog(run: LeasedRun, message: LogMessage): Statement {
  const actor = { actor_type: 'agent', actor_id: run.agent.id } as const;
  const session = { id: run.sessionId, userId: run.userId };
  return appendMessage(session, { ...message, ...actor, id: newId(), run_id: run.id });
}
