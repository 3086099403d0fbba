import * as agents from '../agents/handlers.ts';
import { respondToRun } from '../agents/responses/respond-to-run.ts';
import type { AgentServices } from '../agents/services.ts';
import * as caller from '../auth/handlers.ts';
import type { OperationId, Operations } from './operation.ts';
import { listAuditLogs } from '../tasks/audit-log.ts';
import { batchTasks } from '../tasks/batch.ts';
import * as changes from '../tasks/changes/list-changes.ts';
import * as comments from '../tasks/comments.ts';
import { countTasks } from '../tasks/count.ts';
import * as tasks from '../tasks/handlers.ts';
import type { AgentOperation } from '../tools/catalogue.ts';
import * as viz from '../viz/handlers.ts';

/** The services of the operations on tasks and charts. */
export type ToolServices = tasks.TaskServices & viz.VizServices;

export type Services = ToolServices & changes.ChangeServices & caller.CallerServices & AgentServices;

/** The operations on tasks and charts. Tools of agents call some of them within the process. */
export const toolOperations = {
  listTasks: { handle: tasks.listTasks, failure: 'Failed to list tasks' },
  countTasks: { handle: countTasks, failure: 'Failed to list tasks' },
  createTask: { handle: tasks.createTask, failure: 'Failed to create task' },
  getTask: { handle: tasks.getTask, failure: 'Failed to get task' },
  updateTask: { handle: tasks.updateTask, failure: 'Failed to update task' },
  deleteTask: { handle: tasks.deleteTask, failure: 'Failed to delete task' },
  assignTask: { handle: tasks.assignTask, failure: 'Failed to assign task' },
  batchTasks: { handle: batchTasks, failure: 'Failed to change tasks' },
  listComments: { handle: comments.listComments, failure: 'Failed to list comments' },
  createComment: { handle: comments.createComment, failure: 'Failed to create comment' },
  updateComment: { handle: comments.updateComment, failure: 'Failed to update comment' },
  deleteComment: { handle: comments.deleteComment, failure: 'Failed to delete comment' },
  listAuditLogs: { handle: listAuditLogs, failure: 'Failed to list audit logs' },
  getVizStatus: { handle: viz.getVizStatus, failure: 'RENDER_ERROR' },
  renderSvg: { handle: viz.renderSvg, ...viz.drawing },
  renderPng: { handle: viz.renderPng, ...viz.drawing },
  renderPdf: { handle: viz.renderPdf, ...viz.drawing },
  linkChart: { handle: viz.linkChart, ...viz.drawing },
  getLinkedChart: { handle: viz.getLinkedChart, failure: 'RENDER_ERROR', usesDatabase: false },
} satisfies Partial<Operations<ToolServices>> & Operations<ToolServices, AgentOperation>;

/** Every operation of the contract; `tsc` reports a missing one. */
export const operations = {
  ...toolOperations,
  // `listChanges` has no failure code of its own.
  listChanges: { handle: changes.listChanges, failure: 'Failed to list audit logs' },
  getMe: { handle: caller.getMe, failure: 'Server Error' },
  listAgents: { handle: agents.listAgents, failure: 'Server Error' },
  createAgent: { handle: agents.createAgent, failure: 'Server Error' },
  getAgent: { handle: agents.getAgent, failure: 'Server Error' },
  updateAgent: { handle: agents.updateAgent, failure: 'Server Error' },
  deleteAgent: { handle: agents.deleteAgent, failure: 'Server Error' },
  runAgent: {
    handle: agents.runAgent,
    failure: 'Server Error',
    startsRun: true,
    afterCommit: respondToRun,
  },
  listRuntimes: { handle: agents.listRuntimes, failure: 'Server Error', usesDatabase: false },
  listRuns: { handle: agents.listRuns, failure: 'Server Error' },
  getRun: { handle: agents.getRun, failure: 'Server Error' },
  cancelRun: { handle: agents.cancelRun, failure: 'Server Error' },
  decideToolCalls: { handle: agents.decideToolCalls, failure: 'Server Error' },
  listSessions: { handle: agents.listSessions, failure: 'Server Error' },
  getSession: { handle: agents.getSession, failure: 'Server Error' },
  updateSession: { handle: agents.updateSession, failure: 'Server Error' },
  deleteSession: { handle: agents.deleteSession, failure: 'Server Error' },
  listMessages: { handle: agents.listMessages, failure: 'Server Error' },
} satisfies Operations<Services>;

// The cast is safe, because the keys of `operations` are the operation ids.
export const operationIds = Object.keys(operations) as OperationId[];
