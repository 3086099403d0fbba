import { repeatOnConflict } from '../../db/repeat-on-conflict.ts';
import type { StoredDecision } from '../../db/tables.ts';
import type { Write } from '../../db/write.ts';
import { isTransient, Problem } from '../../errors.ts';
import type { ActingAgent, Schemas } from '../../operation.ts';
import { toStorable } from '../../storable-text.ts';
import { errorLengthMax, truncateText } from '../../tools/result-size.ts';
import type { Execution } from '../services.ts';
import type { ConversationMessage } from '../sessions/conversation.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { unknownOutcome, type Tool, type ToolResult, type ToolContext } from '../skills/tool.ts';
import { editedArguments, editNote } from './edited-arguments.ts';
import { beginCall, withLease, type LeasedRun } from './lease.ts';

interface ToolCallInput {
  readonly call: Schemas['ToolCall'];
  /** The user's approval, if the call needed one. */
  readonly approval: StoredDecision | undefined;
  /** The stored messages of the run so far. */
  readonly log: readonly ConversationMessage[];
  readonly tools: readonly Tool[];
}

type ToolMessage = Pick<Schemas['Message'], 'content' | 'attachments' | 'is_error'>;

/**
 * Executes a tool call and appends its result to the log. An effect in the database is committed together with the
 * message, so it happens exactly once. An effect elsewhere is begun at most once, unless the tool's server allows
 * repetitions. If its result is lost, the message says that the outcome is unknown.
 */
export async function callTool(
  { services: { db }, run, stop, signal, resources, logger }: Execution,
  { call, approval, log, tools }: ToolCallInput,
): Promise<void> {
  const tool = tools.find(({ name }) => name === call.name);
  const edited = editedArguments(approval, call);
  const note = edited === undefined ? '' : editNote(edited);
  const append = ({ content, ...message }: ToolMessage, write?: Write): Promise<void> =>
    withLease(db, run, async (transaction) => {
      await write?.(transaction);
      const result = {
        ...message,
        content: `${note}${content}`,
        role: 'tool',
        tool_call_id: call.id,
      } as const;
      await appendMessage(transaction, run, result);
    });
  const begin = (): Promise<void> =>
    withLease(db, run, (transaction) => beginCall(transaction, run, call.id));
  try {
    if (run.begunCallId === call.id) throw new Problem('Bad Request', unknownOutcome);
    if (tool === undefined) throw unknownTool(call.name, tools);
    const callAndAppend = async (): Promise<void> => {
      const earlierCalls = callsMade(log, run);
      const acting = { approvedBy: approval?.decided_by ?? undefined, argumentsEdited: edited !== undefined };
      const context = { ...contextOf(run, acting), signal, begin, resources, earlierCalls };
      const { write, ...result } = await tool.call(edited ?? call.arguments, context);
      await append(messageFromResult(result), write);
    };
    await (tool.isRepeatable ? repeatOnConflict(callAndAppend) : callAndAppend());
  } catch (error) {
    // If this worker must stop, the error comes from the aborted call and not from the tool.
    stop.throwIfAborted();
    // A transient error ends the turn, and the next turn repeats the call. The model receives only the other errors.
    if (!(error instanceof Problem) || isTransient(error)) throw error;
    if (error.cause instanceof Error)
      logger.warn({ tool: call.name, cause: error.cause.message }, 'a tool call failed');
    await append(messageFromProblem(error));
  }
}

function contextOf(
  { agent, context, sessionId, userId }: LeasedRun,
  approval: Pick<ActingAgent, 'approvedBy' | 'argumentsEdited'>,
): Pick<ToolContext, 'caller' | 'context'> {
  const actingAgent = { id: agent.id, name: agent.name, sessionId, ...approval };
  return { context, caller: { id: userId, name: userId, agent: actingAgent } };
}

/** The names of the tools that the run has called, without calls that the user rejected. */
function callsMade(log: readonly ConversationMessage[], { decisions }: LeasedRun): string[] {
  const completed = new Set(log.map((message) => message.tool_call_id));
  return log
    .flatMap(({ tool_calls: calls }) => calls ?? [])
    .filter(({ id }) => completed.has(id) && decisions[id]?.approve !== false)
    .map(({ name }) => name);
}

function unknownTool(name: string, tools: readonly Tool[]): Problem {
  const names = tools.map((tool) => tool.name).join(', ') || 'none';
  return new Problem('Bad Request', `There is no tool "${name}". The tools are: ${names}.`);
}

function messageFromResult({ content, attachments, isError = false }: ToolResult): ToolMessage {
  return { content, attachments, is_error: isError };
}

function messageFromProblem({ message, errors = [] }: Problem): ToolMessage {
  const content = errors.length === 0 ? message : errors.map(({ detail }) => detail).join('\n');
  const text = toStorable(truncateText(content, errorLengthMax));
  return { content: text, attachments: null, is_error: true };
}
