import { beforeAll, describe, expect } from 'vitest';
import type { Client } from '../../support/client.ts';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const moment =
  'must be a date such as 2026-12-31 or a date-time such as 2026-12-31T09:30:00Z (write the + of an offset as %2B)';

let alice: Client;

beforeAll(async () => {
  alice = await sharedServer().as('alice');
});

describe.each([
  ['limit=-1', '/query/limit', 'must be >= 0'],
  ['limit=1.5', '/query/limit', 'must be integer'],
  ['limit=', '/query/limit', 'must be integer'],
  ['limit=1e3', '/query/limit', 'must be integer'],
  ['limit=0x10', '/query/limit', 'must be integer'],
  ['limit=9007199254740992', '/query/limit', 'must be <= 9007199254740991'],
  ['offset=99999999999999999999999', '/query/offset', 'must be <= 9007199254740991'],
  ['limit=1&limit=2', '/query/limit', 'must be given only once'],
  ['q=a&q=b', '/query/q', 'must be given only once'],
  ['q=%00', '/query/q', 'must not contain NUL characters or lone surrogates'],
  [
    'sort=color',
    '/query/sort',
    'must be one of created_at, -created_at, updated_at, -updated_at, due_date, -due_date, title, -title',
  ],
  ['due_before=soon', '/query/due_before', moment],
  ['due_after=2026-02-30', '/query/due_after', moment],
  ['due_after=2026-12-31T09:30:00+02:00', '/query/due_after', moment],
  ['updated_since=0000-01-01', '/query/updated_since', moment],
])('the query %s', (query, pointer, detail) => {
  spec('listTasks', 400, `is refused at ${pointer}: ${detail}`, async () => {
    const { body } = await alice.fails('listTasks', 400, { query });

    expect(body.code).toBe('VALIDATION_ERROR');
    expect(body.errors).toEqual([{ pointer, detail }]);
  });
});

describe.each(['stauts', 'constructor', 'a/b~c'])('the unknown query parameter %s', (name) => {
  spec('listTasks', 400, 'is named, and the valid ones are listed', async () => {
    const { body } = await alice.fails('listTasks', 400, { query: `${encodeURIComponent(name)}=x` });

    expect(body.errors?.[0]?.pointer).toBe(`/query/${name.replace('~', '~0').replace('/', '~1')}`);
    expect(body.errors?.[0]?.detail).toContain('the query parameters are workspace_id, status, priority');
  });
});
