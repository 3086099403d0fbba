import { isTransient, Problem } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Schemas } from '../../operation.ts';
import { assertLease, type LeasedRun } from './lease.ts';
import { appendMessage } from '../sessions/message-store.ts';
import type { AgentServices } from '../services.ts';
import type { Tool, ToolResult, ToolUse } from '../skills/tool.ts';
import { toolsOf } from '../skills/skills.ts';
import { cutText } from '../skills/tool-content.ts';
import type { Db } from '../../db/tables.ts';

// A refusal repeats what the model has written, which may be long.
const refusalLengthMax = 8_192;

type Answer = Pick<Schemas['Message'], 'content' | 'attachments' | 'is_error'>;

/**
 * Does what a model asked for and resolves to the place of its answer in the log. The effect and the message about it
 * are one transaction: both happen, once.
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
    const early = tool.isTransactional ? undefined : await tool.call(call.arguments, useOf(run, db));
    return await db.transaction().execute(async (transaction) => {
      await assertLease(transaction, run);
      const result = early ?? (await tool.call(call.arguments, useOf(run, transaction)));
      return appendAnswer(transaction, run, call, answerFrom(result));
    });
  } catch (error) {
    // The same call may well succeed in a moment: it is made again, and the model need not know.
    if (!(error instanceof Problem) || isTransient(error)) throw error;
    return await db.transaction().execute(async (transaction) => {
      await assertLease(transaction, run);
      return appendAnswer(transaction, run, call, answerFromProblem(error));
    });
  }
}

function useOf({ agent, context, sessionId, userId }: LeasedRun, db: Db): ToolUse {
  const acting = { id: agent.id, name: agent.name, sessionId };
  return { db, context, caller: { id: userId, name: userId, agent: acting } };
}

function unknownTool(name: string, tools: readonly Tool[]): Problem {
  const names = tools.map((tool) => tool.name).join(', ') || 'none';
  return new Problem('Bad Request', `There is no tool "${name}". The tools are: ${names}.`);
}

function answerFrom({ content, attachments }: ToolResult): Answer {
  return { content, attachments, is_error: false };
}

function answerFromProblem({ message, errors = [] }: Problem): Answer {
  const fields = errors.map(({ pointer, detail }) => `\n${pointer} ${detail}`).join('');
  return { content: cutText(message + fields, refusalLengthMax), attachments: null, is_error: true };
}

async function appendAnswer(
  transaction: Db,
  run: LeasedRun,
  call: Schemas['ToolCall'],
  answer: Answer,
): Promise<number> {
  return appendMessage(
    transaction,
    { id: run.sessionId, userId: run.userId },
    {
      ...answer,
      id: newId(run.userId),
      run_id: run.id,
      role: 'tool',
      tool_call_id: call.id,
      actor_type: 'agent',
      actor_id: run.agent.id,
    },
  );
}
