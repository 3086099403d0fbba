import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { journey } from './journey.ts';
import { startPrism } from './prism.ts';

/** Where the mock may differ from the server, and why. */
const allowedDifferences: Readonly<Record<string, string>> = {
  'get it if it has changed': 'The mock has no state, so it knows no version.',
  'get it once it is deleted': 'The mock has no state, so nothing is ever gone.',
  'create a task without a title': 'Prism answers what does not validate with 422, where that is documented.',
  'get its session': "The mock's session has no run in it.",
  'list its messages': "The mock's session has one message, the server's has those of tools too.",
};

let onServer: Readonly<Record<string, unknown>>;
let onMock: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  const token = await tokenFor('alice');
  const server = await startTestServer();
  onServer = await journey(createClient({ baseUrl: server.url, token }));
  onMock = await journey(createClient({ baseUrl: await startPrism('mock'), token }));
});

describe('the same journey through the SDK', () => {
  it('gives the same shapes by the server and by the mock, apart from the listed differences', () => {
    expect(without(allowedDifferences, onMock)).toEqual(without(allowedDifferences, onServer));
  });

  it('differs only where it must: on the server, what is deleted is gone', () => {
    expect(onServer['get it if it has changed']).toBeUndefined();
    expect(onServer['get it once it is deleted']).toBe('NotFoundError Task not found');
    expect(onServer['create a task without a title']).toBe('BadRequestError VALIDATION_ERROR');
  });

  it('succeeds wherever it should', () => {
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
