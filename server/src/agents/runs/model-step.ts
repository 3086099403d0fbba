import type { Db } from '../../db/tables.ts';
import { newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import { addUsage, assertLease, type LeasedRun } from './lease.ts';
import type { ConversationMessage } from '../sessions/conversation.ts';
import { appendMessage, type NewMessage } from '../sessions/message-store.ts';
import { RuntimeFailure, type RequestedCall, type Step } from '../runtimes/runtime.ts';
import type { AgentServices, Agents } from '../services.ts';
import { toStorable, toStorableJson } from '../../storable-text.ts';
import { toolsOf } from '../skills/skills.ts';

interface ModelStepInput {
  readonly conversation: readonly ConversationMessage[];
  readonly signal: AbortSignal;
}

// A model can request further calls in its next step, knowing the results of these.
const callsMax = 20;

/** Requests one step of the model, appends it to the log and resolves to the last sequence number. */
export async function runModelStep(
  { db, agents }: AgentServices,
  run: LeasedRun,
  input: ModelStepInput,
): Promise<number> {
  const step = await requestStep(agents, run, input);
  const steps = input.conversation.filter((each) => each.run_id === run.id && each.role === 'assistant');
  // The ids of model servers may repeat. These are unique, and deterministic, so they are the same after a crash.
  const prefix = `call_${run.id.slice(-12)}_${steps.length + 1}`;
  const calls = step.calls
    .slice(0, callsMax)
    .map((call, index) => ({ ...call, id: `${prefix}_${index + 1}` }));
  return db.transaction().execute(async (transaction) => {
    await assertLease(transaction, run);
    const response = { content: toStorable(step.text), tool_calls: toolCallsFrom(calls) };
    let seq = await appendToLog(transaction, run, { ...response, role: 'assistant' });
    for (const call of calls.filter((each) => each.arguments === undefined)) {
      seq = await appendToLog(transaction, run, { role: 'tool', ...invalidArguments, tool_call_id: call.id });
    }
    if (step.usage !== null) await addUsage(transaction, run, step.usage);
    return seq;
  });
}

async function requestStep(
  agents: Agents,
  run: LeasedRun,
  { conversation, signal }: ModelStepInput,
): Promise<Step> {
  const runtime = agents.runtimes.get(run.agent.runtime);
  if (runtime === undefined) {
    throw new RuntimeFailure(`The runtime "${run.agent.runtime}" is no longer configured on this server.`);
  }
  const timeout = AbortSignal.timeout(agents.config.stepMs);
  try {
    return await runtime.step({
      instructions: run.agent.instructions,
      context: run.context,
      conversation,
      tools: toolsOf(agents.skills, run.agent.skills),
      onText: (text) => {
        agents.runEvents.publish(run.id, { kind: 'text', text: toStorable(text) });
      },
      signal: AbortSignal.any([signal, timeout]),
    });
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new RuntimeFailure('The model did not respond within the time limit of a step.', { cause: error });
  }
}

const invalidArguments = { content: 'The arguments of this call are not a JSON object.', is_error: true };

function toolCallsFrom(calls: readonly (RequestedCall & { id: string })[]): Schemas['ToolCall'][] | null {
  if (calls.length === 0) return null;
  return calls.map(({ id, name, arguments: values }) => ({
    id,
    name: toStorable(name),
    arguments: toStorableJson(values ?? {}),
  }));
}

async function appendToLog(
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
