import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { repeatOnConflict } from '../../db/errors.ts';
import { isRow } from '../../db/rows.ts';
import type { StoredDecision } from '../../db/tables.ts';
import { isTransient, Problem } from '../../contract/problem.ts';
import type { Schemas } from '../../contract/operation.ts';
import { toStorable } from '../../lib/text.ts';
import { errorLengthMax, truncateText } from '../../tools/result-size.ts';
import type { Execution } from '../services.ts';
import { appendMessage } from '../sessions/message-store.ts';
import { unknownOutcome, type Tool, type ToolContext, type ToolResult } from '../skills/tool.ts';
import { withLease } from './lease.ts';

/**
 * Executes a tool call and appends its result to the log. An effect in the database is committed together with the
 * result's message, so it happens exactly once. An effect elsewhere is begun at most once, unless the tool's server
 * allows repetitions. If the result is lost, the message says that the outcome is unknown. `approval` is the user's
 * decision, if the call needed one.
 */
export async function callTool(
  execution: Execution,
  call: Schemas['ToolCall'],
  approval: StoredDecision | undefined,
  tools: readonly Tool[],
): Promise<void> {
  const { services, run, stop, logger } = execution;
  const tool = tools.find(({ name }) => name === call.name);
  // Arguments in the approval are edited only if they differ from the model's.
  const edited = isDeepStrictEqual(approval?.arguments, call.arguments) ? undefined : approval?.arguments;
  // Tells the model that the user has edited the arguments.
  const note =
    edited === undefined
      ? ''
      : `The user changed the arguments of this call to ${truncateText(JSON.stringify(edited), noteLengthMax)}\n`;
  const append = ({ content, attachments, isError = false, write }: ToolResult): Promise<void> =>
    withLease(services.db, run, async (transaction) => {
      await write?.(transaction);
      const message = { content: `${note}${content}`, attachments, is_error: isError };
      await appendMessage(transaction, run, { ...message, role: 'tool', tool_call_id: call.id });
    });
  try {
    if (run.begun_call_id === call.id) throw new Problem('Bad Request', unknownOutcome);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ') || 'none';
      throw new Problem('Bad Request', `There is no tool "${call.name}". The tools are: ${names}.`);
    }
    const context = contextOf(execution, call, approval, edited !== undefined);
    const callAndAppend = async () => append(await tool.call(edited ?? call.arguments, context));
    await (tool.isRepeatable ? repeatOnConflict(callAndAppend) : callAndAppend());
  } catch (error) {
    // If this worker must stop, the error comes from the aborted call and not from the tool.
    stop.throwIfAborted();
    // After a transient error, the next turn repeats the call. The model receives only problems that are not transient.
    if (!(error instanceof Problem) || isTransient(error)) throw error;
    if (error.cause instanceof Error)
      logger.warn({ tool: call.name, cause: error.cause.message }, 'a tool call failed');
    const text = error.options.errors?.map(({ detail }) => detail).join('\n') || error.message;
    const content = toStorable(truncateText(text, errorLengthMax));
    await append({ content, attachments: null, isError: true });
  }
}

const noteLengthMax = 4096;

function contextOf(
  { services, run, signal, resources }: Execution,
  { id: callId }: Schemas['ToolCall'],
  approval: StoredDecision | undefined,
  argumentsEdited: boolean,
): ToolContext {
  const { agent, context, userId } = run;
  const approved = { approvedBy: approval?.decided_by ?? undefined, argumentsEdited };
  const actor = { id: agent.id, name: agent.name, sessionId: run.sessionId, ...approved };
  return {
    caller: { id: userId, name: userId, agent: actor },
    ...{ context, signal, resources },
    begin: async () => {
      await withLease(services.db, run, async (transaction) => {
        await sql`update runs set begun_call_id = ${callId} where ${isRow(run)}`.execute(transaction);
      });
      run.begun_call_id = callId;
    },
  };
}
