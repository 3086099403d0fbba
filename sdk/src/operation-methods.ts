import type { Client } from './client.ts';
import type { operations, paths } from './generated/contract.ts';
import type { Paginator } from './paginator.ts';
import type { OperationId } from './resources.ts';
import type { Result } from './result.ts';

/** Methods that read one result. */
export const reads = {
  countTasks: ['tasks', 'count', 2],
  getTask: ['tasks', 'get', 2],
  listChanges: ['tasks', 'listChanges', 2],
  getVizStatus: ['viz', 'getStatus', 1],
  renderSvg: ['viz', 'renderSvg', 2],
  renderPng: ['viz', 'renderPng', 2],
  renderPdf: ['viz', 'renderPdf', 2],
  linkChart: ['viz', 'link', 2],
  getAgent: ['agents', 'get', 2],
  listRuntimes: ['runtimes', 'list', 1],
  getRun: ['runs', 'get', 2],
  getSession: ['sessions', 'get', 2],
} as const satisfies Record<ReadId, MethodOf<Result<unknown>>>;

/** Methods that read pages. */
export const lists = {
  listTasks: ['tasks', 'list', 2],
  listComments: ['tasks', 'listComments', 3],
  listAuditLogs: ['tasks', 'listAuditLogs', 3],
  listAgents: ['agents', 'list', 2],
  listRuns: ['runs', 'list', 2],
  listSessions: ['sessions', 'list', 2],
  listMessages: ['sessions', 'listMessages', 3],
} as const satisfies Record<ListId, MethodOf<Paginator<unknown>>>;

/** Methods that change something. */
export const writes = {
  createTask: ['tasks', 'create', 2],
  updateTask: ['tasks', 'update', 3],
  deleteTask: ['tasks', 'delete', 2],
  assignTask: ['tasks', 'assign', 3],
  batchTasks: ['tasks', 'batch', 2],
  createComment: ['tasks', 'createComment', 3],
  updateComment: ['tasks', 'updateComment', 4],
  deleteComment: ['tasks', 'deleteComment', 3],
  createAgent: ['agents', 'create', 2],
  updateAgent: ['agents', 'update', 3],
  deleteAgent: ['agents', 'delete', 2],
  runAgent: ['agents', 'run', 3],
  cancelRun: ['runs', 'cancel', 2],
  decideToolCalls: ['runs', 'approve', 3],
  updateSession: ['sessions', 'update', 3],
  deleteSession: ['sessions', 'delete', 2],
} as const satisfies Record<WriteId, MethodOf<Result<unknown>>>;

export type Area = Exclude<keyof Client, 'me' | 'withOptions'>;

/** A method with this result: its area, its name, and the number of its parameters including options. */
type MethodOf<Returned> = {
  [Name in Area]: {
    [Method in keyof Client[Name]]: Client[Name][Method] extends (...args: infer Args) => Returned
      ? readonly [Name, Method, Required<Args>['length']]
      : never;
  }[keyof Client[Name]];
}[Area];

type GetOperation = {
  [Path in keyof paths]: paths[Path] extends { get: infer Operation } ? Operation : never;
}[keyof paths];

type GetId = Exclude<
  { [Id in OperationId]: operations[Id] extends GetOperation ? Id : never }[OperationId],
  // `me` belongs to no area.
  'getMe'
>;

type QueryOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['query']>;

type ListId = {
  [Id in GetId]: [QueryOf<Id>] extends [never] ? never : 'cursor' extends keyof QueryOf<Id> ? Id : never;
}[GetId];

/** An operation that takes a chart is a POST, but changes nothing. */
type ReadId = Exclude<GetId, ListId> | 'renderSvg' | 'renderPng' | 'renderPdf' | 'linkChart';

type WriteId = Exclude<OperationId, ReadId | ListId | 'getMe'>;
