import { beforeAll, describe, expect, it } from 'vitest';
import type { Schemas } from '../../server/src/operation.ts';
import { createAgent, runAgent } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { allOperations } from '../support/contract.ts';
import { requests } from '../support/requests.ts';
import { sharedServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

const server = sharedServer();

const alice = await server.as('alice');

interface Kind {
  readonly make: () => Promise<string>;
  readonly makeComment?: (id: string) => Promise<string>;
  readonly strangerGets: number;
  /** The body of a request that succeeds, where it depends on the resource. */
  readonly bodyFor?: (id: string) => object;
}

/** Creates a resource for each kind of path with an id. A test of a path without an entry fails. */
const kinds: Readonly<Record<string, Kind>> = {
  '/api/tasks/{id}/comments/{comment_id}': {
    make: async () => (await createTask(alice)).id,
    makeComment: async (id) => (await alice.ok('createComment', { id, body: { body: 'x' } })).body.id,
    strangerGets: 403,
  },
  '/api/tasks/{id}': { make: async () => (await createTask(alice)).id, strangerGets: 403 },
  '/v1/agents/{id}': { make: async () => (await createAgent(alice)).id, strangerGets: 404 },
  '/v1/runs/{id}/approvals': { make: makeWaitingRun, strangerGets: 404, bodyFor: approval },
  '/v1/runs/{id}': { make: makeRun, strangerGets: 404 },
  '/v1/sessions/{id}': { make: makeSession, strangerGets: 404 },
};

async function makeSession(): Promise<string> {
  return (await finishedRun()).session_id;
}

async function makeRun(): Promise<string> {
  return (await finishedRun()).id;
}

async function makeWaitingRun(): Promise<string> {
  const agent = await createAgent(alice, { approvals: ['*'] });
  return (await runAgent(alice, agent, 'list my tasks')).body.id;
}

/** Approves the first call of a run. */
function approval(runId: string): object {
  return { decisions: [{ tool_call_id: `call_${runId.slice(-12)}_1_1`, approve: true }] };
}

async function finishedRun(): Promise<Schemas['Run']> {
  return (await runAgent(alice, await createAgent(alice), 'list my tasks')).body;
}

const longAgo = Math.floor(Date.now() / 1000) - 3600;

/** Credentials that are not a user's. Each token claims to be alice's. */
const outsiders: Readonly<Record<string, () => Promise<string | undefined>>> = {
  'no token': () => Promise.resolve(undefined),
  'a token that another key signed': () =>
    tokenFor(server.userId('alice'), {}, 'another secret of 32 bytes or even more'),
  'a token that has expired': () => tokenFor(server.userId('alice'), { exp: longAgo }),
  'an unsigned token': async () => {
    const [, claims = ''] = (await server.token('alice')).split('.');
    return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
  },
};

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

  it.each(Object.entries(outsiders))('is a 401 with %s', async (_name, token) => {
    const { status } = await new Client(server, await token()).send(operationId, { id, commentId, body });

    expect(status).toBe(401);
  });

  it('is refused to another user, whether or not the resource exists', async () => {
    const mallory = await server.as('mallory');

    const there = await mallory.send(operationId, { id, commentId, body });
    const nowhere = await mallory.send(operationId, { ...requests[operationId], body });

    expect([there.status, nowhere.status]).toEqual([kind?.strangerGets, 404]);
  });

  it('still succeeds for the owner after those requests', async () => {
    const { status } = await alice.send(operationId, { id, commentId, body });

    expect(status).toBeLessThan(300);
  });
});
