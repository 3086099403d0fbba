import fc from 'fast-check';
import { expect, it } from 'vitest';
import { operations, requestsOf } from '../fuzz/requests.ts';
import { unknownId } from '../support/requests.ts';
import { deletesWhatIsNew, me } from './target.ts';

deletesWhatIsNew();

const numRuns = Number(process.env['CONFORMANCE_FUZZ_RUNS'] ?? 25);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

it.each([...operations])(
  '%s returns a documented response to any request, and never fails',
  async (id, operation) => {
    await fc.assert(
      fc.asyncProperty(requestsOf(operation, [unknownId]), async (request) => {
        // The client throws if the contract does not document the response.
        const { status } = await me.send(id, request);

        expect(status).toBeLessThan(500);
      }),
      { numRuns, seed },
    );
  },
);
