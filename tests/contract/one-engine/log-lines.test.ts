import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../../server/src/contract/operation.ts';
import { createAgent } from '../../support/agents.ts';
import { Client, type Input } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';
import { secret, tokenFor } from '../../support/tokens.ts';

const lines: string[] = [];

const settings = { JWT_ISSUER: 'https://issuer', JWT_AUDIENCE: 'worktable, https://tasks.example.com/mcp' };
const valid = { iss: 'https://issuer', aud: ['other', 'worktable'] };

const server = await startTestServer({
  log: lines,
  env: { AGENT_REQUESTS_PER_MINUTE: '10', ...settings },
});
const alice = new Client(server, await tokenFor('alice', valid));

const run = { id: (await createAgent(alice)).id, body: { input: 'list my tasks' } };
// The only run that the limit allows.
await alice.ok('runAgent', run);

describe('the log line of a request that is refused before its handler', () => {
  it.each<[number, OperationId, Input]>([
    [429, 'runAgent', run],
    [400, 'createTask', { body: '{' }],
    [400, 'createTask', { body: {} }],
    [400, 'listTasks', { query: 'unknown=1' }],
    [413, 'createTask', { body: { title: 'x'.repeat(2 ** 20) } }],
    [415, 'createTask', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ])('names the user: %i of %s', async (status, operation, input) => {
    const line = await lineOf(operation, input);

    expect(line).toMatchObject({ status, operation, user: 'alice' });
  });
});

const longAgoS = 1_000_000_000;
const invalidClaim = 'ERR_JWT_CLAIM_VALIDATION_FAILED';
const otherKey = 'another secret of 32 bytes or even more';

describe('the log line of a request whose token is refused', () => {
  it.each<[what: string, claims: object, refusal: object, key?: string]>([
    ['has expired', { exp: longAgoS }, { code: 'ERR_JWT_EXPIRED', claim: 'exp' }],
    ['has another audience', { aud: 'others' }, { code: invalidClaim, claim: 'aud' }],
    ['has no audience', { aud: undefined }, { code: invalidClaim, claim: 'aud' }],
    ['has another issuer', { iss: 'https://elsewhere' }, { code: invalidClaim, claim: 'iss' }],
    ['has no issuer', { iss: undefined }, { code: invalidClaim, claim: 'iss' }],
    ['has no subject', { sub: undefined }, { code: invalidClaim, claim: 'sub' }],
    ['is signed with another key', {}, { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' }, otherKey],
  ])('has the reason and not the token: it %s', async (_what, claims, refusal, key = secret) => {
    const token = await tokenFor('alice', { ...valid, ...claims }, key);

    const line = await lineOf('listTasks', { headers: { Authorization: `Bearer ${token}` } });

    expect(line).toMatchObject({ status: 401, refusal });
    expect(JSON.stringify(lines)).not.toContain(token.split('.')[2]);
  });
});

async function lineOf(operation: OperationId, input: Input): Promise<unknown> {
  const id = `find-${lines.length}`;
  await alice.send(operation, { ...input, headers: { ...input.headers, 'X-Request-Id': id } });
  return JSON.parse(lines.find((line) => line.includes(`"${id}"`)) ?? 'null') as unknown;
}
