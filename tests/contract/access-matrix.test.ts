import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent, noLimits, runAgent } from '../support/agents.ts';
import { Client } from '../support/client.ts';
import { allOperations } from '../support/contract.ts';
import { requests } from '../support/requests.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { tokenFor } from '../support/tokens.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ env: noLimits });
  alice = await server.as('alice');
});

/** How to make something for each kind of path that names one; a path of another kind has no entry and fails. */
const kinds: Readonly<Record<string, { make: () => Promise<string>; strangerGets: number }>> = {
  '/api/tasks/{id}': { make: async () => (await createTask(alice)).id, strangerGets: 403 },
  '/v1/agents/{id}': { make: async () => (await createAgent(alice)).id, strangerGets: 404 },
  '/v1/sessions/{id}': { make: makeSession, strangerGets: 404 },
};

async function makeSession(): Promise<string> {
  const { body } = await runAgent(alice, await createAgent(alice), 'list my tasks');
  return body.session_id;
}

const longAgo = Math.floor(Date.now() / 1000) - 3600;

/** Whoever is no known user; each is alice by what the token says, where there is one. */
const outsiders: Readonly<Record<string, () => Promise<string | undefined>>> = {
  'no token': () => Promise.resolve(undefined),
  'a token that another key signed': () => tokenFor('alice', {}, 'another secret of 32 bytes or even more'),
  'a token that has expired': () => tokenFor('alice', { exp: longAgo }),
  'a token that nobody signed': async () => {
    const [, claims = ''] = (await tokenFor('alice')).split('.');
    return `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`;
  },
};

const byId = allOperations.filter(({ path }) => path.includes('{id}'));

describe.each(byId)('$operationId', ({ operationId, path }) => {
  const kind = kinds[Object.keys(kinds).find((prefix) => path.startsWith(prefix)) ?? ''];
  const { body } = requests[operationId];
  let id: string;

  beforeAll(async () => {
    if (kind === undefined) throw new Error(`Say how to make what ${path} names.`);
    id = await kind.make();
  });

  it.each(Object.entries(outsiders))('is a 401 for %s', async (_name, token) => {
    const { status } = await new Client(server.url, await token()).send(operationId, { id, body });

    expect(status).toBe(401);
  });

  it('is refused to another user, whether or not there is such a thing', async () => {
    const mallory = await server.as('mallory');

    const there = await mallory.send(operationId, { id, body });
    const nowhere = await mallory.send(operationId, { ...requests[operationId], body });

    expect([there.status, nowhere.status]).toEqual([kind?.strangerGets, 404]);
  });

  it('is answered to the owner, whom the others have taken nothing from', async () => {
    const { status } = await alice.send(operationId, { id, body });

    expect(status).toBeLessThan(300);
  });
});
