import { afterAll, beforeAll } from 'vitest';
import { Client } from '../support/client.ts';
import { allPages } from '../support/pages.ts';

/** The server under test, as `npm run conformance` passes it on. */
export const url = setting('CONFORMANCE_URL') ?? '';
export const token = setting('CONFORMANCE_TOKEN') ?? '';
const otherToken = setting('CONFORMANCE_OTHER_TOKEN');

export const me = new Client({ url }, token);
export const anonymous = new Client({ url }, undefined);
/** Another user; undefined without --other-token. */
export const other = otherToken === undefined ? undefined : new Client({ url }, otherToken);

/** A part of the names of everything that one run of the tests makes. */
export const unique = `conformance-${Date.now().toString(36)}-${process.pid}`;

function setting(name: string): string | undefined {
  const value = process.env[name];
  return value === '' ? undefined : value;
}

/** Deletes all tasks, agents and sessions that the tests of a file have made, directly or indirectly. */
export function deletesWhatIsNew(): void {
  let before: ReadonlySet<string>;
  let since: string;

  beforeAll(async () => {
    const { body } = await me.ok('createTask', { body: { title: `${unique} begins` } });
    since = body.task.created_at;
    await me.ok('deleteTask', { id: body.task.id });
    before = new Set([...(await newTasks()), ...(await agents()), ...(await sessions())]);
  });
  afterAll(async () => {
    const isNew = (id: string): boolean => !before.has(id);
    for (const id of (await newTasks()).filter(isNew)) await me.send('deleteTask', { id });
    for (const id of (await sessions()).filter(isNew)) await me.send('deleteSession', { id });
    for (const id of (await agents()).filter(isNew)) await me.send('deleteAgent', { id });
  });

  /** Tasks that are not older than the tests by the server's clock. */
  async function newTasks(): Promise<string[]> {
    const pages = await allPages(me, 'listTasks', { query: { updated_since: since, limit: 1000 } });
    const tasks = pages.flatMap((page) => page.tasks);
    return tasks.filter(({ created_at: at }) => at >= since).map(({ id }) => id);
  }
}

async function agents(): Promise<string[]> {
  return (await me.ok('listAgents', { query: { limit: 1000 } })).body.agents.map(({ id }) => id);
}

/** The sessions with the latest activity, which include the new ones. */
async function sessions(): Promise<string[]> {
  return (await me.ok('listSessions', { query: { limit: 1000 } })).body.sessions.map(({ id }) => id);
}
