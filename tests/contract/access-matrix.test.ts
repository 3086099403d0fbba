import { beforeAll, describe, expect, it } from 'vitest';
import type { Schemas } from '../../server/src/contract/operation.ts';
import { createAgent, runAgent } from '../support/agents.ts';
import { allOperations } from '../support/contract.ts';
import { requests, unknownId } from '../support/requests.ts';
import { sharedServer } from '../support/server.ts';
import { auditLog, createTask } from '../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');
const mallory = await server.as('mallory');

interface Kind {
  readonly make: () => Promise<string>;
  readonly makeComment?: (id: string) => Promise<string>;
  readonly strangerGets: number;
  /** Reads the data that a stranger's request could change. */
  readonly read?: (id: string) => Promise<unknown>;
  /** The body of a request that succeeds, if it depends on the resource. */
  readonly bodyFor?: (id: string) => object;
}

const task: Kind = {
  make: async () => {
    const fields = { assignee_id: server.userId('mallory'), workspace_id: 'shared' };
    return (await createTask(alice, fields)).id;
  },
  strangerGets: 403,
  read: async (id) => [
    (await alice.ok('getTask', { id })).body,
    (await alice.ok('listComments', { id })).body,
    await auditLog(alice, id),
  ],
};

/** How to test each path with an id. The test of a path without an entry fails. */
const kinds: Readonly<Record<string, Kind>> = {
  '/api/tasks/{id}/comments/{comment_id}': {
    ...task,
    makeComment: async (id) => (await alice.ok('createComment', { id, body: { body: 'x' } })).body.id,
  },
  '/api/tasks/{id}': task,
  '/v1/agents/{id}': { make: async () => (await createAgent(alice)).id, strangerGets: 404 },
  '/v1/runs/{id}/approvals': {
    make: async () => (await newRun(['*'])).id,
    strangerGets: 404,
    // Approves the first call of the run.
    bodyFor: (id) => ({ decisions: [{ tool_call_id: `call_${id.slice(-12)}_1_1`, approve: true }] }),
  },
  '/v1/runs/{id}': { make: async () => (await newRun()).id, strangerGets: 404 },
  '/v1/sessions/{id}': { make: async () => (await newRun()).session_id, strangerGets: 404 },
};

async function newRun(approvals: string[] = []): Promise<Schemas['Run']> {
  return (await runAgent(alice, await createAgent(alice, { approvals }), 'list my tasks')).body;
}

const nilId = '00000000-0000-0000-0000-000000000000';
const absentIds = [unknownId, nilId, 'none', '%00', 'x'.repeat(129), 'a%2Fb', '%F0%9F%99%82'];
const byId = allOperations.filter(({ path }) => path.includes('{id}'));

describe.each(byId)('$operationId', ({ operationId, path }) => {
  const kind = kinds[Object.keys(kinds).find((prefix) => path.startsWith(prefix)) ?? ''];
  let id: string;
  let body: unknown;
  let commentId: string | undefined;

  beforeAll(async () => {
    if (kind === undefined) throw new Error(`Add a way to create the resource of ${path}.`);
    id = await kind.make();
    commentId = await kind.makeComment?.(id);
    body = kind.bodyFor?.(id) ?? requests[operationId].body;
  });

  it('is refused to another user, and changes nothing', async () => {
    const before = await kind?.read?.(id);

    const { status, body: problem } = await mallory.send(operationId, { id, commentId, body });

    expect(status).toBe(kind?.strangerGets);
    expect(JSON.stringify(problem)).not.toContain('alice');
    expect(await kind?.read?.(id)).toEqual(before);
  });

  it('returns 404 for ids that no resource has, in any form', async () => {
    for (const absent of absentIds) {
      const { body: problem } = await mallory.fails(operationId as 'getTask', 404, { id: absent, body });

      expect(problem.code, absent).toMatch(/^(Task|Agent|Run|Session) not found$/);
    }
  });

  it('still succeeds for the owner after those requests', async () => {
    const { status } = await alice.send(operationId, { id, commentId, body });

    expect(status).toBeLessThan(300);
  });
});
