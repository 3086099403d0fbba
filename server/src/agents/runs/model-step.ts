import type { Db } from '../../db/tables.ts';
import { newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import { addUsage, assertLease, type LeasedRun } from './lease.ts';
import type { ConversationMessage } from '../sessions/conversation.ts';
import { appendMessage, type NewMessage } from '../sessions/message-store.ts';
import { RuntimeFailure, type RequestedCall, type Step } from '../runtimes/runtime.ts';
import type { AgentServices, Agents } from '../services.ts';
import { storable, storableValue } from '../storable-text.ts';
import { toolsOf } from '../skills/skills.ts';

interface Question {
  readonly conversation: readonly ConversationMessage[];
  readonly signal: AbortSignal;
}

// A model that wants more calls asks for the others in its next step, knowing what came of these.
const callsMax = 20;

/** Asks the model for one step, adds its answer to the log and resolves to the place there. */
export async function runModelStep(
  { db, agents }: AgentServices,
  run: LeasedRun,
  question: Question,
): Promise<number> {
  const step = await stepOf(agents, run, question);
  const answers = question.conversation.filter((each) => each.run_id === run.id && each.role === 'assistant');
  // Ids of model servers repeat; these are unique, and the same again after a crash.
  const prefix = `call_${run.id.slice(-12)}_${answers.length + 1}`;
  const calls = step.calls
    .slice(0, callsMax)
    .map((call, index) => ({ ...call, id: `${prefix}_${index + 1}` }));
  return db.transaction().execute(async (transaction) => {
    await assertLease(transaction, run);
    const answer = { content: storable(step.text), tool_calls: wire(calls) };
    let seq = await append(transaction, run, { ...answer, role: 'assistant' });
    for (const call of calls.filter((each) => each.arguments === undefined)) {
      seq = await append(transaction, run, { role: 'tool', ...unreadable, tool_call_id: call.id });
    }
    if (step.usage !== null) await addUsage(transaction, run, step.usage);
    return seq;
  });
}

async function stepOf(agents: Agents, run: LeasedRun, { conversation, signal }: Question): Promise<Step> {
  const runtime = agents.runtimes.get(run.agent.runtime);
  if (runtime === undefined) {
    throw new RuntimeFailure(`The runtime "${run.agent.runtime}" is no longer configured on this server.`);
  }
  const tooSlow = AbortSignal.timeout(agents.config.stepMs);
  try {
    return await runtime.step({
      instructions: run.agent.instructions,
      context: run.context,
      conversation,
      tools: toolsOf(agents.skills, run.agent.skills),
      onText: (text) => {
        agents.changes.publish(run.id, { kind: 'text', text: storable(text) });
      },
      signal: AbortSignal.any([signal, tooSlow]),
    });
  } catch (error) {
    if (!tooSlow.aborted || signal.aborted) throw error;
    throw new RuntimeFailure('The model did not answer in the time it is given.', { cause: error });
  }
}

const unreadable = { content: 'The arguments of this call are not a JSON object.', is_error: true };

function wire(calls: readonly (RequestedCall & { id: string })[]): Schemas['ToolCall'][] | null {
  if (calls.length === 0) return null;
  return calls.map(({ id, name, arguments: values }) => ({
    id,
    name: storable(name),
    arguments: storableValue(values ?? {}),
  }));
}

async function append(
  transaction: Db,
  run: LeasedRun,
  message: Pick<NewMessage, 'role' | 'content' | 'tool_calls' | 'tool_call_id' | 'is_error'>,
): Promise<number> {
  return appendMessage(
    transaction,
    { id: run.sessionId, userId: run.userId },
    { ...message, id: newId(run.userId), run_id: run.id, actor_type: 'agent', actor_id: run.agent.id },
  );
}
