import { isTransient, Problem } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import { assertLease, type LeasedRun } from './lease.ts';
import { appendMessage } from '../sessions/message-store.ts';
import type { AgentServices } from '../services.ts';
import type { Tool, ToolResult, ToolContext } from '../skills/tool.ts';
import { toolsOf } from '../skills/skills.ts';
import { truncateText } from '../skills/tool-content.ts';
import type { Db } from '../../db/tables.ts';

// An error message may quote the arguments that the model wrote, which may be long.
const errorLengthMax = 8_192;

type ToolMessage = Pick<Schemas['Message'], 'content' | 'attachments' | 'is_error'>;

/**
 * Executes a tool call and resolves to the sequence number of its message in the log. The effect and the message are
 * committed in one transaction, so a call takes effect exactly once.
 */
export async function callTool(
  { db, agents }: AgentServices,
  run: LeasedRun,
  call: Schemas['ToolCall'],
): Promise<number> {
  const tools = toolsOf(agents.skills, run.agent.skills);
  const tool = tools.find(({ name }) => name === call.name);
  try {
    if (tool === undefined) throw unknownTool(call.name, tools);
    const earlyResult = tool.isTransactional
      ? undefined
      : await tool.call(call.arguments, toolContext(run, db));
    return await db.transaction().execute(async (transaction) => {
      await assertLease(transaction, run);
      const result = earlyResult ?? (await tool.call(call.arguments, toolContext(run, transaction)));
      return appendToolMessage(transaction, run, call, messageFromResult(result));
    });
  } catch (error) {
    // A transient error fails the job, and its retry makes the same call again. The model only sees other errors.
    if (!(error instanceof Problem) || isTransient(error)) throw error;
    return await db.transaction().execute(async (transaction) => {
      await assertLease(transaction, run);
      return appendToolMessage(transaction, run, call, messageFromProblem(error));
    });
  }
}

function toolContext({ agent, context, sessionId, userId }: LeasedRun, db: Db): ToolContext {
  const actingAgent = { id: agent.id, name: agent.name, sessionId };
  return { db, context, caller: { id: userId, name: userId, agent: actingAgent } };
}

function unknownTool(name: string, tools: readonly Tool[]): Problem {
  const names = tools.map((tool) => tool.name).join(', ') || 'none';
  return new Problem('Bad Request', `There is no tool "${name}". The tools are: ${names}.`);
}

function messageFromResult({ content, attachments }: ToolResult): ToolMessage {
  return { content, attachments, is_error: false };
}

function messageFromProblem({ message, errors = [] }: Problem): ToolMessage {
  const fields = errors.map(({ pointer, detail }) => `\n${pointer} ${detail}`).join('');
  return { content: truncateText(message + fields, errorLengthMax), attachments: null, is_error: true };
}

async function appendToolMessage(
  transaction: Db,
  run: LeasedRun,
  call: Schemas['ToolCall'],
  message: ToolMessage,
): Promise<number> {
  return appendMessage(
    transaction,
    { id: run.sessionId, userId: run.userId },
    {
      ...message,
      id: newId(run.userId),
      run_id: run.id,
      role: 'tool',
      tool_call_id: call.id,
      actor_type: 'agent',
      actor_id: run.agent.id,
    },
  );
}
