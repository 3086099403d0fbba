import type { OperationId, CallOperation } from '../../operation.ts';
import { parametersOf, requestFrom } from './parameters.ts';
import { contentOf } from './tool-content.ts';
import type { Tool } from './tool.ts';

/** An operation on tasks that is offered to models as a tool. */
export interface TaskTool {
  readonly name: string;
  readonly operation: TaskOperation;
  readonly description: string;
  /** What the model reads of the answer, where it is not all. */
  readonly summarize?: (body: never) => object;
  /** Values for parameters that a model leaves out, where the contract's are too much for it. */
  readonly defaults?: Values;
  /** Adds what follows from the context of the run. */
  readonly complete?: (values: Values, context: Values) => Values;
}

type TaskOperation = Extract<
  OperationId,
  'listTasks' | 'createTask' | 'getTask' | 'updateTask' | 'assignTask' | 'createComment' | 'listComments'
>;
type Values = Readonly<Record<string, unknown>>;

/** The tool does the operation as HTTP would, and its parameters are the contract's. */
export function operationTool(callOperation: CallOperation, tool: TaskTool): Tool {
  const { name, operation, description, summarize, defaults, complete } = tool;
  return {
    name,
    description,
    parameters: parametersOf(operation, defaults),
    isTransactional: true,
    call: async (values, { db, caller, context }) => {
      const filled = { ...defaults, ...values };
      const completed = complete?.(filled, context) ?? filled;
      const reply = await callOperation(operation, { caller, ...requestFrom(operation, completed) }, db);
      // A tool's `summarize` is written for the body of its own operation.
      const read = summarize === undefined ? reply.body : summarize(reply.body as never);
      return { content: contentOf(read ?? {}), attachments: null };
    },
  };
}
