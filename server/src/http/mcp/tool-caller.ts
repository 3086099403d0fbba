import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Call, OperationId, Principal } from '../../operation.ts';
import type { Contract, ContractOperation } from '../openapi/contract.ts';
import { inProcessResponse } from '../openapi/in-process-client.ts';
import { throwIfRejected, type CapacityChecks } from '../overload/capacity.ts';
import type { ConsumeRateLimits } from '../overload/rate-limit.ts';
import type { RequestState } from '../request/request-state.ts';
import { problemFrom } from '../response/error-handler.ts';
import type { HttpResponse } from '../response/http-response.ts';
import { keyFor, type RunOperation } from '../run-operation.ts';
import { argumentsOf, type ToolArguments } from './tool-arguments.ts';
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
  readonly run: RunOperation;
  readonly capacity: CapacityChecks;
  readonly consumeRateLimits: ConsumeRateLimits;
}

type Values = Readonly<Record<string, unknown>>;

/** Runs one call of a tool for a caller. `state` receives what the log and the metrics record. */
export type CallTool = (
  values: Values,
  context: { readonly caller: Principal; readonly state: RequestState },
) => Promise<CallToolResult>;

/**
 * A tool as a function: the steps of an HTTP request to its operation, in the same order, after those that `mcp` has taken. A
 * failure is a result with `isError`, which the protocol prescribes for errors that a model can correct.
 */
export function toolCaller(tool: ToolEntry, options: ToolCallOptions): CallTool {
  const operation = options.contract.operation(tool.operation);
  const send = operationSender(tool, operation, options);
  return async (values, context) => {
    const { state } = context;
    state.operation = tool.operation;
    try {
      throwIfRejected(options.capacity.findRejection(tool.operation, context.caller.id));
      const id = typeof values['id'] === 'string' ? { id: values['id'] } : {};
      state.rateLimitHeaders = await options.consumeRateLimits(tool.operation, context.caller, id);
      const { response, result } = await answer(tool, values, (each) => send(each, context));
      state.outcome = response.status;
      return result;
    } catch (error) {
      const problem = problemFrom(error, tool.operation);
      Object.assign(state, { outcome: problem.status, error });
      return errorResult(problem);
    }
  };
}

type Send = (
  values: Values,
  context: { readonly caller: Principal; readonly state: RequestState },
) => Promise<HttpResponse>;

/** Sends arguments to the operation of a tool. */
function operationSender(
  tool: ToolEntry,
  operation: ContractOperation,
  { contract, run }: ToolCallOptions,
): Send {
  const { requestFrom }: ToolArguments = argumentsOf(tool, operation);
  return (values, { caller, state }) => {
    const request = contract.validate(tool.operation, { caller, ...requestFrom(values) });
    // Validated just now by the contract that the type is made from.
    const call = { ...request, caller, requestId: state.requestId } as unknown as Call<OperationId>;
    return run(tool.operation, {
      call,
      key: keyFor(operation, textOf(request.headers['idempotency-key'])),
      // A run continues without its client, and no tool waits for it.
      response: {
        ...inProcessResponse,
        addToLog: (fields) => {
          state.logged = { ...state.logged, ...fields };
        },
      },
      releaseBody: () => undefined,
    });
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

/** An absent header is empty. The contract has validated that others are text. */
function textOf(header: unknown): string {
  return typeof header === 'string' ? header : '';
}
