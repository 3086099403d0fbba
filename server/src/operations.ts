import * as agents from './agents/handlers.ts';
import { respondToRun } from './agents/responses/respond-to-run.ts';
import type { AgentServices } from './agents/services.ts';
import type { OperationId, Operations } from './operation.ts';
import * as tasks from './tasks/handlers.ts';
import * as viz from './viz/handlers.ts';

/** The services of the operations that agents can use as tools. */
export type ToolServices = tasks.TaskServices & viz.VizServices;

/** The services of all operations. */
export type Services = ToolServices & AgentServices;

/** The operations that agents can use as tools. */
export const toolOperations = {
  listTasks: { handle: tasks.listTasks },
  createTask: { handle: tasks.createTask },
  getTask: { handle: tasks.getTask },
  updateTask: { handle: tasks.updateTask },
  deleteTask: { handle: tasks.deleteTask },
  assignTask: { handle: tasks.assignTask },
  listComments: { handle: tasks.listComments },
  createComment: { handle: tasks.createComment },
  listAuditLogs: { handle: tasks.listAuditLogs },
  getVizStatus: { handle: viz.getVizStatus },
  renderSvg: { handle: viz.renderSvg },
  renderPng: { handle: viz.renderPng, admit: viz.requireRenderCapacity },
  renderPdf: { handle: viz.renderPdf, admit: viz.requireRenderCapacity },
} satisfies Partial<Operations<ToolServices>>;

/** Every operation of the contract. A missing operation is a compile error. */
export const operations = {
  ...toolOperations,
  listAgents: { handle: agents.listAgents },
  createAgent: { handle: agents.createAgent },
  runAgent: { handle: agents.runAgent, afterCommit: respondToRun },
  getSession: { handle: agents.getSession },
  listMessages: { handle: agents.listMessages },
} satisfies Operations<Services>;

/** Whether agents can use the operation as a tool. */
export function isTool(id: OperationId): boolean {
  return Object.hasOwn(toolOperations, id);
}
