import * as agents from './agents/handlers.ts';
import { respondToRun } from './agents/responses/respond-to-run.ts';
import { runErrors } from './agents/runs/run-context.ts';
import type { AgentServices } from './agents/services.ts';
import type { OperationId, Operations } from './operation.ts';
import * as changes from './tasks/changes/handlers.ts';
import * as tasks from './tasks/handlers.ts';
import * as viz from './viz/handlers.ts';
import { pdfItself, pngItself, svgItself } from './viz/representations.ts';

/** The services of the operations on tasks and charts. */
export type ToolServices = tasks.TaskServices & viz.VizServices;

/** The services of all operations. */
export type Services = ToolServices & changes.ChangeServices & AgentServices;

/** The operations on tasks and charts, which the tools of agents may call. */
export const toolOperations = {
  listTasks: { handle: tasks.listTasks, isLimitedPerCaller: true },
  createTask: { handle: tasks.createTask },
  getTask: { handle: tasks.getTask },
  updateTask: { handle: tasks.updateTask },
  deleteTask: { handle: tasks.deleteTask },
  assignTask: { handle: tasks.assignTask },
  listComments: { handle: tasks.listComments },
  createComment: { handle: tasks.createComment },
  listAuditLogs: { handle: tasks.listAuditLogs },
  getVizStatus: { handle: viz.getVizStatus },
  renderSvg: { handle: viz.renderSvg, ...viz.chartChecks, representations: svgItself },
  renderPng: {
    handle: viz.renderPng,
    ...viz.chartChecks,
    queue: viz.renderQueue,
    representations: pngItself,
  },
  renderPdf: {
    handle: viz.renderPdf,
    ...viz.chartChecks,
    queue: viz.renderQueue,
    representations: pdfItself,
  },
} satisfies Partial<Operations<ToolServices>>;

/** Every operation of the contract. A missing operation is a compile error. */
export const operations = {
  ...toolOperations,
  listChanges: { handle: changes.listChanges },
  listAgents: { handle: agents.listAgents },
  createAgent: { handle: agents.createAgent },
  getAgent: { handle: agents.getAgent },
  updateAgent: { handle: agents.updateAgent },
  deleteAgent: { handle: agents.deleteAgent },
  runAgent: { handle: agents.runAgent, findErrors: runErrors, afterCommit: respondToRun },
  getRun: { handle: agents.getRun },
  cancelRun: { handle: agents.cancelRun },
  decideToolCalls: { handle: agents.decideToolCalls },
  listSessions: { handle: agents.listSessions },
  getSession: { handle: agents.getSession },
  deleteSession: { handle: agents.deleteSession },
  listMessages: { handle: agents.listMessages },
} satisfies Operations<Services>;

// The keys of an object are strings to TypeScript; these are exactly the ids.
export const operationIds = Object.keys(operations) as OperationId[];

/** Whether agents can use the operation as a tool. */
export function isTool(id: OperationId): boolean {
  return Object.hasOwn(toolOperations, id);
}
