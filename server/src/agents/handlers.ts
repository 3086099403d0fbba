import { readList } from '../db/list.ts';
import type { RowKey } from '../db/row-key.ts';
import { integerMax, type Db } from '../db/tables.ts';
import { timestamp } from '../db/timestamps.ts';
import { Problem, validationError } from '../contract/problem.ts';
import { newId } from '../lib/ids.ts';
import type { Request, Handler, Caller } from '../contract/operation.ts';
import { endOfStream } from '../lib/stream-lifetime.ts';
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
import { planRun } from './runs/start-run.ts';

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

export const getAgent: Handler<'getAgent', AgentServices> = async ({ caller, path }, services) => {
  const agent = await requireAgent(services.db, { id: path.id, userId: caller.id });
  return { status: 200, body: agentFromRow(agent, services) };
};

export const updateAgent: Handler<'updateAgent', AgentServices> = async (
  { caller, path, body },
  services,
) => {
  const { db, config } = services;
  const key = { id: path.id, userId: caller.id };
  const fields = writtenFields(body, config.defaultRuntime);
  if (Object.keys(fields).length > 0)
    return { status: 200, body: agentFromRow(await changeAgent(db, key, fields), services) };
  await requireAgent(db, key);
  throw new Problem('No fields to update');
};

export const deleteAgent: Handler<'deleteAgent', AgentServices> = async ({ caller, path }, { db }) => {
  const key = { id: path.id, userId: caller.id };
  const { id } = await changeAgent(db, key, { archived_at: timestamp() });
  return { status: 200, body: { id, deleted: true } };
};

/**
 * The handler only queues the run. After the commit, `respondToRun` wakes a worker, waits for the run or streams it,
 * and answers 200 in place of 202 if the run has ended by then.
 */
export const runAgent: Handler<'runAgent', AgentServices> = async (request, services) => {
  const agent = await requireAgent(services.db, { id: request.path.id, userId: request.caller.id });
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

/** Responds with the run, or with a stream of its events. */
export const getRun: Handler<'getRun', AgentServices> = async (
  { caller, path, query, headers },
  services,
  { acceptsEventStream, disconnected },
) => {
  const run = await requireRun(services.db, { id: path.id, userId: caller.id });
  if (!acceptsEventStream) return { status: 200, body: run };
  const afterSeq = seqOfEvent(headers);
  const signal = endOfStream(caller, disconnected, services.shutdownSignal);
  const stream = createRunStream(services, { run, userId: caller.id, afterSeq, until: query.until }, signal);
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body: stream };
};

function seqOfEvent({ 'last-event-id': id = '' }: Request<'getRun'>['headers']): number | undefined {
  return id === '' ? undefined : Math.min(Number(id), integerMax);
}

export const cancelRun: Handler<'cancelRun', AgentServices> = async ({ caller, path }, services) => {
  const key = { id: path.id, userId: caller.id };
  const cancelled = await cancelUnfinishedRun(services, key);
  if (cancelled === undefined) return { status: 200, body: await requireRun(services.db, key) };
  announceCancelled(services, cancelled);
  return { status: 200, body: cancelled.run };
};

export const decideToolCalls: Handler<'decideToolCalls', AgentServices> = async (
  { caller, path, body, requestId },
  services,
) => {
  // Edited arguments are checked against the schemas of the tools, so the tools must be known.
  if (body.decisions.some(({ arguments: values }) => values !== undefined)) await knowTools(services.skills);
  const key = { id: path.id, userId: caller.id };
  const run = await recordDecisions(services, key, body.decisions, requestId);
  services.workers.wake();
  return { status: 200, body: run };
};

export const listSessions: Handler<'listSessions', AgentServices> = async ({ caller, query }, { db }) => {
  const request = { path: '/v1/sessions', userId: caller.id, query };
  const { entries, headers } = await readList(db, sessionsOf(caller.id, query), request);
  return { status: 200, headers, body: { sessions: entries.map(sessionFromRow) } };
};

export const getSession: Handler<'getSession', AgentServices> = async ({ caller, path }, { db }) => {
  return { status: 200, body: await requireSession(db, parseSessionKey(path.id, caller)) };
};

/** The key of the session in a path. A malformed id throws `Session not found` without a query. */
function parseSessionKey(id: string, caller: Caller): RowKey {
  if (!/^[\w.:-]{1,128}$/.test(id)) throw new Problem('Session not found');
  return { id, userId: caller.id };
}

export const updateSession: Handler<'updateSession', AgentServices> = async (
  { caller, path, body },
  { db },
) => {
  const session = await changeSession(db, parseSessionKey(path.id, caller), body);
  if (Object.keys(body).length === 0) throw new Problem('No fields to update');
  return { status: 200, body: session };
};

export const deleteSession: Handler<'deleteSession', AgentServices> = async ({ caller, path }, services) => {
  const ended = await removeSession(services.db, parseSessionKey(path.id, caller));
  for (const run of ended) announceCancelled(services, run);
  return { status: 200, body: { id: path.id, deleted: true } };
};

/** Responds with a page of messages, or with a stream of messages and runs. */
export const listMessages: Handler<'listMessages', AgentServices> = async (
  { caller, path, query, headers: sent },
  services,
  { acceptsEventStream, disconnected },
) => {
  const { db } = services;
  const key = parseSessionKey(path.id, caller);
  const afterSeq = await seqOf(db, key, query.after);
  if (acceptsEventStream) {
    await requireSession(db, key);
    const signal = endOfStream(caller, disconnected, services.shutdownSignal);
    const body = createSessionStream(services, key, seqOfEvent(sent) ?? afterSeq, signal);
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
  }
  const list = messagesOf(key, { afterSeq }, { descending: query.sort === '-created_at' });
  const request = { path: `/v1/sessions/${key.id}/messages`, userId: caller.id, query };
  const { entries, count, headers } = await readList(db, list, request);
  if (entries.length === 0) await requireSession(db, key);
  return { status: 200, headers, body: { messages: entries.map(messageFromRow), count } };
};

async function seqOf(
  db: Db,
  session: RowKey,
  after: Request<'listMessages'>['query']['after'] = '',
): Promise<number> {
  if (after === '') return 0;
  const seq = await findSeq(db, session, after);
  if (seq !== undefined) return seq;
  await requireSession(db, session);
  const detail = 'must be the id of a message of this session';
  throw validationError([{ pointer: '/query/after', code: 'not_found', detail }]);
}
