import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../sdk/src/index.ts';
import { startDemo } from '../support/process.ts';
import { startTestServer } from '../support/server.ts';
import { tokenFor } from '../support/tokens.ts';
import { journey } from './journey.ts';
import { startMock } from './prism.ts';

/** Steps whose results differ between the mock and the server, and why. */
const allowedDifferences: Readonly<Record<string, string>> = {
  'get it if it has changed': 'The mock has no state, so it ignores the version.',
  'get it once it is deleted': 'The mock has no state, so the task still exists.',
  'list runtimes': 'The mock has a model server and an MCP server.',
  'list its messages': "The mock's session has one message; the server's also has those of tools.",
  'get its session': "The mock's session has a title.",
  'list sessions': "The mock's session has a title.",
  'count tasks': 'The mock has tasks without a workspace.',
  'read who calls': "The token in the mock's example expires.",
};

/** Steps whose shapes depend on the tasks that there are, or on the token. */
const ofOtherData = { 'list tasks': true, 'page of tasks': true, 'read who calls': true };

let onServer: Readonly<Record<string, unknown>>;
let onMock: Readonly<Record<string, unknown>>;
let onDemo: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  const token = await tokenFor('alice');
  const server = await startTestServer();
  onServer = await journey(createClient({ baseUrl: server.url, token }));
  const demo = await startDemo({ DATA_DIR: await mkdtemp(join(tmpdir(), 'worktable-demo-')) });
  onDemo = await journey(createClient({ baseUrl: demo.url, token: demo.token ?? '' }));
  onMock = await journey(createClient({ baseUrl: await startMock(), token }));
});

describe('a journey through the SDK', () => {
  it('server and mock return the same shapes, apart from the listed differences', () => {
    expect(without(allowedDifferences, onMock)).toEqual(without(allowedDifferences, onServer));
  });

  it('server and demo return the same shapes', () => {
    expect(without(ofOtherData, onDemo)).toEqual(without(ofOtherData, onServer));
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
