import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Contract } from '../../contract/contract.ts';
import { inProcessResponse } from '../../contract/in-process-client.ts';
import type { Principal } from '../../operation.ts';
import { operations } from '../../operations.ts';
import type { HandleRequest } from '../handle-request.ts';
import type { RequestState } from '../request/request-state.ts';
import { problemFrom } from '../response/error-handler.ts';
import type { HttpResponse } from '../response/http-response.ts';
import { argumentsOf } from './tool-arguments.ts';
import {
  errorResult,
  fieldsOf,
  fittingEntries,
  pictureResult,
  toolResult,
  withinSize,
} from './tool-result.ts';
import type { ToolEntry } from './tools.ts';

export interface ToolCallOptions {
  readonly contract: Contract;
  readonly handleRequest: HandleRequest;
}

type Values = Readonly<Record<string, unknown>>;

/** Runs one call of a tool for a caller. `state` receives what the log and the metrics record. */
export type CallTool = (
  values: Values,
  context: { readonly caller: Principal; readonly state: RequestState },
) => Promise<CallToolResult>;

/**
 * A tool as a function. The arguments become a request for its operation, which takes the steps of an HTTP request. A failure
 * is a result with `isError`, which the protocol prescribes for errors that a model can correct.
 */
export function toolCaller(tool: ToolEntry, { contract, handleRequest }: ToolCallOptions): CallTool {
  const { operation } = tool;
  const { requestFrom } = argumentsOf(tool, contract.operation(operation));
  return async (values, { caller, state }) => {
    state.operation = operation;
    // A run continues without its client, and no tool waits for it.
    const response = {
      ...inProcessResponse,
      addToLog: (fields: Readonly<Record<string, string>>) => {
        state.logged = { ...state.logged, ...fields };
      },
    };
    try {
      const { response: sent, result } = await answer(tool, values, (each) => {
        const { path = {}, ...parts } = requestFrom(each);
        // The message that the call came with has been authenticated and read.
        const authenticate = (): Promise<Principal> => Promise.resolve(caller);
        return handleRequest({
          operation,
          path,
          authenticate,
          read: () => Promise.resolve(parts),
          response,
          state,
        });
      });
      state.outcome = sent.status;
      return result;
    } catch (error) {
      const problem = problemFrom(error, operations[operation]);
      Object.assign(state, { outcome: problem.status, error });
      return errorResult(problem);
    }
  };
}

/** The response to a call and its result. A page whose entries do not fit into a result is read again with fewer. */
async function answer(
  tool: ToolEntry,
  values: Values,
  send: (values: Values) => Promise<HttpResponse>,
): Promise<{ response: HttpResponse; result: CallToolResult }> {
  let response = await send(values);
  if (tool.picture !== undefined) {
    const picture = (response.body as Values)[tool.picture];
    return { response, result: pictureResult(picture, response) };
  }
  let fields = withinSize(fieldsOf(tool, response));
  let limit = fittingEntries(tool, fields);
  let note = {};
  while (limit !== undefined) {
    response = await send({ ...values, limit });
    note = { note: `Only ${limit} entries fit into one result. Those that follow are at next_cursor.` };
    fields = withinSize(fieldsOf(tool, response));
    limit = fittingEntries(tool, fields);
  }
  return { response, result: toolResult({ ...fields, ...note }) };
}
