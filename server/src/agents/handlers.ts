import { Problem, validationError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Call, Handler } from '../operation.ts';
import { pageLinks, pageOf } from '../paging.ts';
import { agentFromRow, newAgent } from './agent.ts';
import { findAgent, findAgents, insertAgent } from './agent-store.ts';
import { findMessages, findSeq } from './sessions/message-store.ts';
import type { AgentServices } from './services.ts';
import { findSession } from './sessions/session-store.ts';
import { startRun } from './runs/start-run.ts';

export const listAgents: Handler<'listAgents', AgentServices> = async ({ caller, query }, { db, agents }) => {
  const page = pageOf(query);
  const { entries, hasNext } = await findAgents(db, caller.id, page);
  const Link = pageLinks({ path: '/v1/agents', query, ...page, length: entries.length, hasNext });
  const body = { agents: entries.map((row) => agentFromRow(row, agents.runtimes)) };
  return { status: 200, headers: { Link }, body };
};

export const createAgent: Handler<'createAgent', AgentServices> = async (
  { caller, body },
  { db, agents },
) => {
  const key = { id: newId(caller.id), userId: caller.id };
  const row = await insertAgent(db, key, newAgent(body, agents.config.defaultRuntime));
  return { status: 200, body: agentFromRow(row, agents.runtimes) };
};

/** Only queues the run. Once that is committed, `respondToRun` waits for the run or streams it. */
export const runAgent: Handler<'runAgent', AgentServices> = async (
  { caller, path, body },
  { db, agents },
) => {
  const agent = await findAgent(db, { id: path.id, userId: caller.id });
  if (agent === undefined) throw new Problem('Agent not found');
  const run = await startRun({ db, agents }, { caller, agent, request: body });
  return { status: 202, headers: { Location: `/v1/sessions/${run.session_id}` }, body: run };
};

export const getSession: Handler<'getSession', AgentServices> = async ({ caller, path }, { db }) => {
  const session = await findSession(db, { id: path.id, userId: caller.id });
  if (session === undefined) throw new Problem('Session not found');
  return { status: 200, body: session };
};

export const listMessages: Handler<'listMessages', AgentServices> = async (
  { caller, path, query },
  { db },
) => {
  const key = { id: path.id, userId: caller.id };
  const page = pageOf(query);
  const session = await findSession(db, key);
  if (session === undefined) throw new Problem('Session not found');
  const afterSeq = await seqOf(query.after, (id) => findSeq(db, key, id));
  const list = await findMessages(db, key, { ...page, afterSeq });
  const { length } = list.messages;
  const hasNext = page.offset + length < list.count;
  const links = pageLinks({ path: `/v1/sessions/${key.id}/messages`, query, ...page, length, hasNext });
  return { status: 200, headers: { Link: links }, body: list };
};

async function seqOf(
  after: Call<'listMessages'>['query']['after'],
  find: (id: string) => Promise<number | undefined>,
): Promise<number> {
  if (after === undefined || after === '') return 0;
  const seq = await find(after);
  if (seq !== undefined) return seq;
  const detail = 'must be the id of a message of this session';
  throw validationError([{ pointer: '/query/after', detail }]);
}
