import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationId } from '../../server/src/contract/operation.ts';
import { visibleKeyword } from '../../server/src/lib/text.ts';
import { noLimits } from '../support/agents.ts';
import type { Client } from '../support/client.ts';
import { operationOf } from '../support/contract.ts';
import { startTestServer } from '../support/server.ts';
import { createTask } from '../support/tasks.ts';
import { bodySchema, operations, requestsOf } from './requests.ts';

/** Requests per operation. `npm run fuzz` sets FUZZ_RUNS to a larger number. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 20);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const timeoutMs = 30_000 + numRuns * 500;

/** Operations that reject some bodies with VALIDATION_ERROR although their schemas allow them. */
const stricterThanSchema: readonly OperationId[] = [
  'renderSvg',
  'renderPng',
  'renderPdf',
  'linkChart',
  'batchTasks',
  'runAgent',
  'decideToolCalls',
  'updateSession',
];

/** NUL and lone surrogates in JSON. They are refused, but schemas cannot say so. */
const unstorable = /\\u(?:0{4}|d[89a-f])/;

const ajv = addFormats.default(new Ajv2020({ strict: false, unicodeRegExp: true }));
ajv.addKeyword(visibleKeyword);

const server = await startTestServer({ env: noLimits });
const [alice, bob] = await Promise.all([server.as('alice'), server.as('bob')]);

describe.each([...operations])('%s', (id, operation) => {
  it(
    'returns a documented response to any request, and accepts exactly the bodies that the contract allows',
    { timeout: timeoutMs },
    async () => {
      const validate = ajv.compile(bodySchema(operation));
      const ids = await idsFor(id);

      await fc.assert(
        fc.asyncProperty(requestsOf(operation, ids), async (request) => {
          // The client throws if the contract does not document the response.
          const { status, body } = await alice.send(id, request);

          expect(status).toBeLessThan(500);
          if (operation.requestBody === undefined) return;
          const isRejected =
            typeof body === 'object' && body !== null && 'code' in body && body.code === 'VALIDATION_ERROR';
          if (!validate(request.value)) expect(status).toBeGreaterThanOrEqual(400);
          else if (!stricterThanSchema.includes(id) && !unstorable.test(request.body ?? ''))
            expect(isRejected && request.query === '').toBe(false);
        }),
        { numRuns, seed },
      );
    },
  );
});

/** Ids of four resources of alice and one of bob. An operation may delete them. */
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
