import type { CallToolResult } from '@modelcontextprotocol/server';
import { predicateOf, type Problem } from '../../contract/problem.ts';
import { inProcessResponse } from '../../contract/in-process-client.ts';
import type { FieldError, Principal } from '../../contract/operation.ts';
import { operations } from '../../contract/registry.ts';
import { argumentOf } from '../../tools/arguments.ts';
import type { OperationTool } from '../../tools/operation-tool.ts';
import type { Fields } from '../../tools/result.ts';
import { errorLengthMax, truncateText } from '../../tools/result-size.ts';
import type { Pipeline } from '../pipeline.ts';
import type { RequestState } from '../request/request-state.ts';
import { problemFrom } from '../response/error-handler.ts';
import type { HttpResponse } from '../response/http-response.ts';

interface CallContext {
  readonly caller: Principal;
  readonly hasLeft: () => boolean;
  readonly origin: string;
  /** Collects facts for the log and the metrics. */
  readonly state: RequestState;
}

export type CallTool = (values: Fields, context: CallContext) => Promise<CallToolResult>;

/**
 * Turns a tool into a function. Its arguments become a request for the operation, which takes the same steps as an HTTP
 * request. A failure becomes a result with `isError`, as the protocol requires for errors that a model can correct.
 */
export function toolCaller(tool: OperationTool, execute: Pipeline['execute']): CallTool {
  const { operation } = tool.entry;
  return async (values, { caller, hasLeft, origin, state }) => {
    state.operation = operation;
    // `run_agent` sends `respond-async`, so a call never waits for a run.
    const response = {
      ...inProcessResponse,
      hasLeft,
      origin,
      addToLog: (fields: Readonly<Record<string, string>>) => {
        state.logged = { ...state.logged, ...fields };
      },
    };
    try {
      const result = await tool.call(values, ({ path = {}, ...parts }) =>
        execute({ operation, caller, path, parse: () => ({ path, ...parts }), response, state }),
      );
      state.outcome = result.response.status;
      return 'picture' in result ? pictureResult(result) : fieldsResult(result.fields);
    } catch (error) {
      const problem = problemFrom(error, operations[operation]);
      Object.assign(state, { outcome: problem.status, error });
      return errorResult(problem);
    }
  };
}

/** The fields in both forms that clients read. */
function fieldsResult(fields: Fields): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(fields) }], structuredContent: fields };
}

/** A picture, and a line of text about it. */
function pictureResult({
  picture,
  response: { headers = {} },
}: {
  readonly picture: string;
  readonly response: HttpResponse;
}): CallToolResult {
  const missing = headers['Chart-Missing-Glyphs'];
  const sentence =
    missing === undefined
      ? 'The chart, as a PNG picture.'
      : `The chart, as a PNG picture. No font of the server has these characters, which are drawn as boxes: ${missing}.`;
  return {
    content: [
      { type: 'image', data: picture, mimeType: 'image/png' },
      { type: 'text', text: sentence },
    ],
  };
}

/** Explains to the model why a call failed and what to do. */
function errorResult({ message, errors = [], retryAfterS }: Problem): CallToolResult {
  const lines = errors.length === 0 ? [message] : errors.map(sentenceOn);
  if (retryAfterS !== undefined) lines.push(`Retry-After: ${retryAfterS} s`);
  return { content: [{ type: 'text', text: truncateText(lines.join('\n'), errorLengthMax) }], isError: true };
}

function sentenceOn(error: FieldError): string {
  const name = argumentOf(error).replaceAll('-', '_');
  return `${name === '' ? 'The arguments' : `The argument "${name}"`} ${predicateOf(error)}`;
}
