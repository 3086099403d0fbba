import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Context } from 'koa';
import { predicateOf, type Problem } from '../../contract/problem.ts';
import type { AnyResponse, FieldError, Caller } from '../../contract/operation.ts';
import { operations } from '../../contract/registry.ts';
import { argumentOf, type Fields } from '../../tools/arguments.ts';
import type { OperationTool } from '../../tools/operation-tool.ts';
import { errorLengthMax, truncateText } from '../../tools/result-size.ts';
import type { Pipeline } from '../pipeline.ts';
import { HttpRequestContext } from '../request/request-context.ts';
import type { RequestState } from '../request/request-state.ts';
import { problemFrom } from '../response/error-handler.ts';

export type CallTool = (values: Fields, ctx: Context, caller: Caller) => Promise<CallToolResult>;

/**
 * Returns a function that calls a tool: it turns the arguments into a request, and executes the request like an HTTP
 * request. A failure becomes a result with `isError`, as MCP requires for errors that a model can correct.
 */
export function toolCaller(tool: OperationTool, execute: Pipeline['execute']): CallTool {
  const { operation } = tool.entry;
  return async (values, ctx, caller) => {
    const state = ctx.state as RequestState;
    const context = new HttpRequestContext(ctx, true);
    state.operation = operation;
    try {
      const result = await tool.call(values, ({ path = {}, ...parts }) =>
        execute({ operation, caller, path, parse: () => parts, context, state }),
      );
      state.outcome = result.response.status;
      return 'picture' in result
        ? pictureResult(result.picture, result.response)
        : fieldsResult(result.fields);
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
function pictureResult(picture: string, { headers = {} }: AnyResponse): CallToolResult {
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
function errorResult({ message, options: { errors = [], retryAfterS } }: Problem): CallToolResult {
  const lines = errors.length === 0 ? [message] : errors.map(sentenceOn);
  if (retryAfterS !== undefined) lines.push(`Retry-After: ${retryAfterS} s`);
  return { content: [{ type: 'text', text: truncateText(lines.join('\n'), errorLengthMax) }], isError: true };
}

function sentenceOn(error: FieldError): string {
  const name = argumentOf(error).replaceAll('-', '_');
  return `${name === '' ? 'The arguments' : `The argument "${name}"`} ${predicateOf(error)}`;
}
