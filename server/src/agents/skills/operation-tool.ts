import type { OperationId, CallOperation } from '../../operation.ts';
import { parametersOf, requestFrom } from './parameters.ts';
import { toolContent } from './tool-content.ts';
import type { Tool } from './tool.ts';

/** An operation on tasks that models can use as a tool. */
export interface TaskTool {
  readonly name: string;
  readonly operation: TaskOperation;
  readonly description: string;
  /** Reduces the response to what the model needs; by default it receives all of it. */
  readonly summarize?: (body: never) => object;
  /** Defaults that override the contract's, which may be too large for a model. */
  readonly defaults?: Values;
  /** Adds values from the context of the run. */
  readonly addFromContext?: (values: Values, context: Values) => Values;
}

type TaskOperation = Extract<
  OperationId,
  'listTasks' | 'createTask' | 'getTask' | 'updateTask' | 'assignTask' | 'createComment' | 'listComments'
>;
type Values = Readonly<Record<string, unknown>>;

/** A tool that calls an operation as an HTTP request would, with the parameters of the contract. */
export function operationTool(callOperation: CallOperation, tool: TaskTool): Tool {
  const { name, operation, description, summarize, defaults, addFromContext } = tool;
  return {
    name,
    description,
    parameters: parametersOf(operation, defaults),
    isRepeatable: true,
    needsApproval: false,
    call: async (values, { caller, context }) => {
      const withDefaults = { ...defaults, ...values };
      const completed = addFromContext?.(withDefaults, context) ?? withDefaults;
      const request = { caller, ...requestFrom(operation, completed) };
      const { body, write } = await callOperation(operation, request);
      // A tool's `summarize` is written for the body of its own operation.
      const content = summarize === undefined ? body : summarize(body as never);
      return { content: toolContent(content ?? {}), attachments: null, write };
    },
  };
}
