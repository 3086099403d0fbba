import type { Db } from '../../db/tables.ts';
import { newId } from '../../ids.ts';
import { appendMessage, type NewMessage } from '../sessions/message-store.ts';
import type { LeasedRun } from './lease.ts';

type LogMessage = Omit<NewMessage, 'id' | 'run_id' | 'actor_type' | 'actor_id'>;

/** Appends a message of the agent to the log of its run. */
export async function appendToLog(
  transaction: Db,
  run: LeasedRun,
  { id = newId(), ...message }: LogMessage & { readonly id?: string },
): Promise<void> {
  const actor = { actor_type: 'agent', actor_id: run.agent.id } as const;
  const session = { id: run.sessionId, userId: run.userId };
  await appendMessage(transaction, session, { ...message, ...actor, id, run_id: run.id });
}
