import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OperationId } from '../../server/src/operation.ts';
import { noLimits } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { operationOf } from '../support/contract.ts';
import { startTestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { bodySchema, operations, requestsOf } from './requests.ts';

/** For each operation; FUZZ_RUNS and FUZZ_SEED make the short mode of every run the long one of `npm run fuzz`. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 40);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const timeoutMs = 30_000 + numRuns * 500;

/** What these refuse with VALIDATION_ERROR goes beyond their schemas. */
const finerThanSchema: readonly OperationId[] = ['renderSvg', 'renderPng', 'renderPdf', 'runAgent'];

const ajv = addFormats.default(new Ajv2020({ strict: false, unicodeRegExp: true }));

let alice: Client;
let bob: Client;
let nobody: Client;

beforeAll(async () => {
  const server = await startTestServer({ env: noLimits });
  [alice, bob, nobody] = await Promise.all([server.as('alice'), server.as('bob'), server.as()]);
});

describe.each([...operations])('%s', (id, operation) => {
  it(
    'answers any request as documented, and accepts just the bodies that the contract allows',
    { timeout: timeoutMs },
    async () => {
      const validate = ajv.compile(bodySchema(operation));
      const ids = await idsFor(id);

      await fc.assert(
        fc.asyncProperty(requestsOf(operation, ids), async (request) => {
          // The client throws for whatever the contract does not document.
          const { status, body } = await alice.send(id, request);

          expect(status).toBeLessThan(500);
          if (operation.requestBody === undefined) return;
          const isRefused =
            typeof body === 'object' && body !== null && 'code' in body && body.code === 'VALIDATION_ERROR';
          if (!validate(request.value)) expect(status).toBeGreaterThanOrEqual(400);
          else if (!finerThanSchema.includes(id)) expect(isRefused && request.query === '').toBe(false);
        }),
        { numRuns, seed },
      );
    },
  );

  it('answers any request without a token with 401', { timeout: timeoutMs }, async () => {
    await fc.assert(
      fc.asyncProperty(requestsOf(operation, ['any']), async (request) => {
        const { status } = await nobody.send(id, request);

        expect(status).toBe(401);
      }),
      { numRuns: Math.ceil(numRuns / 10), seed },
    );
  });
});

/** Resources of alice's, and one of bob's, for an operation that may use them up. */
async function idsFor(operation: OperationId): Promise<string[]> {
  const { path } = operationOf(operation);
  const ownerAt = (index: number): Client => (index === 4 ? bob : alice);
  const owners = Array.from({ length: 5 }, (_, index) => ownerAt(index));
  if (path.startsWith('/api/')) return Promise.all(owners.map(async (owner) => (await createTask(owner)).id));
  const agents = await Promise.all(
    owners.map((owner) => owner.ok('createAgent', { body: { name: 'Planner' } })),
  );
  if (path.startsWith('/v1/agents')) return agents.map(({ body }) => body.id);
  const runs = await Promise.all(
    agents.map(({ body }, index) =>
      ownerAt(index).ok('runAgent', { id: body.id, body: { input: 'list my tasks' } }),
    ),
  );
  return runs.map(({ body }) => body.session_id);
}
