import { expect, it } from 'vitest';
import type { OperationId } from '../../server/src/contract/operation.ts';
import type { DocumentedStatus } from './client.ts';
import { recording } from './recorder.ts';

/** A test that must receive this documented status of the operation. `promise` begins its name. */
export function spec<Id extends OperationId>(
  operation: Id,
  status: DocumentedStatus<Id>,
  promise: string,
  test: () => Promise<void>,
): void {
  it(`${promise} (${operation} ${status})`, async () => {
    const seen = await recording(test);
    expect(seen, 'the test must receive the status that it is about').toContain(`${operation} ${status}`);
  });
}
