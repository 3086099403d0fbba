import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { journey } from './journey.ts';
import { startPrism } from './prism.ts';

/** Steps whose results differ between the mock and the server, and why. */
const allowedDifferences: Readonly<Record<string, string>> = {
  'get it if it has changed': 'The mock has no state, so it ignores the version.',
  'get it once it is deleted': 'The mock has no state, so the task still exists.',
  'create a task without a title':
    'Prism responds to an invalid request with 422 if that status is documented.',
  'get its session': "The mock's session contains no run.",
  'list its messages': "The mock's session has one message; the server's also has those of tools.",
};

let onServer: Readonly<Record<string, unknown>>;
let onMock: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  const token = await tokenFor('alice');
  const server = await startTestServer();
  onServer = await journey(createClient({ baseUrl: server.url, token }));
  onMock = await journey(createClient({ baseUrl: await startPrism('mock'), token }));
});

describe('a journey through the SDK', () => {
  it('server and mock return the same shapes, apart from the listed differences', () => {
    expect(without(allowedDifferences, onMock)).toEqual(without(allowedDifferences, onServer));
  });

  it('the server returns the expected results where the mock differs', () => {
    expect(onServer['get it if it has changed']).toBeUndefined();
    expect(onServer['get it once it is deleted']).toBe('NotFoundError Task not found');
    expect(onServer['create a task without a title']).toBe('BadRequestError VALIDATION_ERROR');
  });

  it('only the expected steps fail on the server', () => {
    const failures = Object.entries(onServer).filter(
      ([, shape]) => typeof shape === 'string' && shape.includes('Error'),
    );

    expect(failures.map(([step]) => step)).toEqual([
      'get it once it is deleted',
      'create a task without a title',
    ]);
  });
});

function without(names: object, steps: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(steps).filter(([step]) => !(step in names)));
}
