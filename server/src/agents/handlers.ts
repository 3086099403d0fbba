import { readList } from '../db/list.ts';
import type { RowKey } from '../db/rows.ts';
import { integerMax, type Db } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import { Problem, validationError } from '../contract/problem.ts';
import { newId } from '../lib/ids.ts';
import type { Request, Handler } from '../contract/operation.ts';
import { endOfStream } from '../lib/event-bus.ts';
import { agentFromRow, describeRuntimes, newAgent, writtenFields } from './agent.ts';
import { agentsOf, changeAgent, insertAgent, requireAgent } from './agent-store.ts';
import { requireSession, sessionFromRow, sessionsOf } from './sessions/find-sessions.ts';
import { findSeq, messageFromRow, messagesOf } from './sessions/message-store.ts';
import { changeSession, removeSession } from './sessions/session-store.ts';
import { knowTools } from './skills/skills.ts';
import type { AgentServices } from './services.ts';
import { createRunStream } from './responses/run-stream.ts';
import { createSessionStream } from './responses/session-stream.ts';
import { announceCancelled, cancelUnfinishedRun } from './runs/cancel-run.ts';
import { recordDecisions } from './runs/decide-tool-calls.ts';
import { requireRun, runFromRow, runsOf } from './runs/run-store.ts';
import { assertContextSize, planRun } from './runs/start-run.ts';

export const listAgents: Handler<'listAgents', AgentServices> = async ({ caller, query }, services) => {
  const request = { path: '/v1/agents', userId: caller.id, query };
  const { entries, headers } = await readList(services.db, agentsOf(caller.id), request);
  return { status: 200, headers, body: { agents: entries.map((row) => agentFromRow(row, services)) } };
};

export const createAgent: Handler<'createAgent', AgentServices> = ({ caller, body }, services) => {
  const row = { ...newAgent(body, services.config.defaultRuntime), id: newId(), created_at: timestamp() };
  const write = insertAgent({ ...row, user_id: caller.id });
  return { status: 200, body: agentFromRow(row, services), write };
};

export const getAgent: Handler<'getAgent', AgentServices> = async (request, services) => {
  const agent = await requireAgent(services.db, keyOf(request));
  return { status: 200, body: agentFromRow(agent, services) };
};

export const updateAgent: Handler<'updateAgent', AgentServices> = async (request, services) => {
  const fields = writtenFields(request.body, services.config.defaultRuntime);
  if (Object.keys(fields).length > 0) {
    const agent = await changeAgent(services.db, keyOf(request), fields);
    return { status: 200, body: agentFromRow(agent, services) };
  }
  await requireAgent(services.db, keyOf(request));
  throw new Problem('No fields to update');
};

export const deleteAgent: Handler<'deleteAgent', AgentServices> = async (request, { db }) => {
  const { id } = await changeAgent(db, keyOf(request), { archived_at: timestamp() });
  return { status: 200, body: { id, deleted: true } };
};

/**
 * The handler only queues the run. After the commit, `respondToRun` wakes a worker, waits for the run or streams it,
 * and answers 200 in place of 202 if the run has ended by then.
 */
export const runAgent: Handler<'runAgent', AgentServices> = async (request, services) => {
  assertContextSize(request.body.context);
  const agent = await requireAgent(services.db, keyOf(request));
  const { run, write } = await planRun(services, request, agent);
  return { status: 202, headers: { Location: `/v1/runs/${run.id}` }, body: run, write };
};

export const listRuntimes: Handler<'listRuntimes', AgentServices> = async (_call, services) => {
  await knowTools(services.skills);
  return { status: 200, body: describeRuntimes(services, services.config.defaultRuntime) };
};

export const listRuns: Handler<'listRuns', AgentServices> = async ({ caller, query }, { db }) => {
  const request = { path: '/v1/runs', userId: caller.id, query };
  const { entries, headers } = await readList(db, runsOf(caller.id, query), request);
  return { status: 200, headers, body: { runs: entries.map(runFromRow) } };
};

export const getRun: Handler<'getRun', AgentServices> = async (request, services, context) => {
  const { caller, query, headers } = request;
  const run = await requireRun(services.db, keyOf(request));
  if (!context.acceptsEventStream) return { status: 200, body: run };
  const streamed = { run, userId: caller.id, afterSeq: seqOfEvent(headers), until: query.until };
  const signal = endOfStream(caller, context.disconnected, services.shutdownSignal);
  return { status: 200, headers: uncached, body: createRunStream(services, streamed, signal) };
};

export const cancelRun: Handler<'cancelRun', AgentServices> = async (request, services) => {
  const cancelled = await cancelUnfinishedRun(services, keyOf(request));
  if (cancelled === undefined) return { status: 200, body: await requireRun(services.db, keyOf(request)) };
  announceCancelled(services, cancelled.id);
  return { status: 200, body: cancelled };
};

export const decideToolCalls: Handler<'decideToolCalls', AgentServices> = async (request, services) => {
  const { decisions } = request.body;
  // Edited arguments are checked against the schemas of the tools, so the tools must be known.
  if (decisions.some(({ arguments: values }) => values !== undefined)) await knowTools(services.skills);
  const run = await recordDecisions(services, keyOf(request), decisions, request.requestId);
  services.workers.wake();
  return { status: 200, body: run };
};

export const listSessions: Handler<'listSessions', AgentServices> = async ({ caller, query }, { db }) => {
  const request = { path: '/v1/sessions', userId: caller.id, query };
  const { entries, headers } = await readList(db, sessionsOf(caller.id, query), request);
  return { status: 200, headers, body: { sessions: entries.map(sessionFromRow) } };
};

export const getSession: Handler<'getSession', AgentServices> = async (request, { db }) => {
  return { status: 200, body: await requireSession(db, sessionKeyOf(request)) };
};

export const updateSession: Handler<'updateSession', AgentServices> = async (request, { db }) => {
  const session = await changeSession(db, sessionKeyOf(request), request.body);
  if (Object.keys(request.body).length === 0) throw new Problem('No fields to update');
  return { status: 200, body: session };
};

export const deleteSession: Handler<'deleteSession', AgentServices> = async (request, services) => {
  const key = sessionKeyOf(request);
  for (const id of await removeSession(services.db, key)) announceCancelled(services, id);
  return { status: 200, body: { id: key.id, deleted: true } };
};

export const listMessages: Handler<'listMessages', AgentServices> = async (request, services, context) => {
  const { caller, query, headers: sent } = request;
  const { db, shutdownSignal } = services;
  const key = sessionKeyOf(request);
  const afterSeq = await seqOf(db, key, query.after);
  if (context.acceptsEventStream) {
    await requireSession(db, key);
    const signal = endOfStream(caller, context.disconnected, shutdownSignal);
    const body = createSessionStream(services, key, seqOfEvent(sent) ?? afterSeq, signal);
    return { status: 200, headers: uncached, body };
  }
  const list = messagesOf(key, { afterSeq, descending: query.sort === '-created_at' });
  const page = { path: `/v1/sessions/${key.id}/messages`, userId: key.userId, query };
  const { entries, count, headers } = await readList(db, list, page);
  if (entries.length === 0) await requireSession(db, key);
  return { status: 200, headers, body: { messages: entries.map(messageFromRow), count } };
};

const uncached = { 'Cache-Control': 'no-store' };

type RequestOfRow = Pick<Request<'getRun'>, 'caller' | 'path'>;

function keyOf({ caller, path }: RequestOfRow): RowKey {
  return { id: path.id, userId: caller.id };
}

/** The key of a session. A malformed id throws `Session not found` without a query. */
function sessionKeyOf(request: RequestOfRow): RowKey {
  if (!/^[\w.:-]{1,128}$/.test(request.path.id)) throw new Problem('Session not found');
  return keyOf(request);
}

function seqOfEvent({ 'last-event-id': id = '' }: Request<'getRun'>['headers']): number | undefined {
  return id === '' ? undefined : Math.min(Number(id), integerMax);
}

async function seqOf(db: Db, session: RowKey, after = ''): Promise<number> {
  if (after === '') return 0;
  const seq = await findSeq(db, session, after);
  if (seq !== undefined) return seq;
  await requireSession(db, session);
  const detail = 'must be the id of a message of this session';
  throw validationError([{ pointer: '/query/after', code: 'not_found', detail }]);
}
