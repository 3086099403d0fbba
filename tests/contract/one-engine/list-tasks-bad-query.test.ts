import { describe, expect } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { sorts } from '../../support/tasks.ts';

const moment =
  'must be a date such as 2026-12-31 or a date-time such as 2026-12-31T09:30:00Z (in a URL, write the + of an offset as %2B)';
const foreign =
  'must be a cursor that this list has returned, with the same filters and order; start again without cursor';

const alice = await sharedServer().as('alice');

describe.each([
  ['limit=-1', 'limit', 'too_small', 'must be at least 0'],
  ['limit=1.5', 'limit', 'wrong_type', 'must be a whole number'],
  ['limit=', 'limit', 'wrong_type', 'must be a whole number'],
  ['limit=1e3', 'limit', 'wrong_type', 'must be a whole number'],
  ['limit=0x10', 'limit', 'wrong_type', 'must be a whole number'],
  ['limit=9007199254740992', 'limit', 'too_large', 'must be at most 9007199254740991'],
  ['offset=99999999999999999999999', 'offset', 'too_large', 'must be at most 9007199254740991'],
  ['limit=1&limit=2', 'limit', 'repeated', 'must be given only once'],
  ['unassigned=1', 'unassigned', 'wrong_type', 'must be a boolean'],
  ['unassigned=', 'unassigned', 'wrong_type', 'must be a boolean'],
  ['q=a&q=b', 'q', 'repeated', 'must be given only once'],
  ['q=%00', 'q', 'unsupported_character', 'must not contain NUL characters or lone surrogates'],
  ['sort=color', 'sort', 'not_one_of', `must be one of ${sorts.join(', ')}`],
  ['due_before=soon', 'due_before', 'malformed', moment],
  ['due_after=2026-02-30', 'due_after', 'malformed', moment],
  ['due_after=2026-12-31T09:30:00+02:00', 'due_after', 'malformed', moment],
  ['completed_after=soon', 'completed_after', 'malformed', moment],
  ['updated_since=0000-01-01', 'updated_since', 'malformed', moment],
  ['cursor=abc', 'cursor', 'malformed', foreign],
  ['cursor=W10', 'cursor', 'malformed', foreign],
  ['cursor=%00', 'cursor', 'unsupported_character', 'must not contain NUL characters or lone surrogates'],
  [
    'cursor=abc&offset=1',
    'offset',
    'conflicting',
    'must not be given together with cursor, which already says where the page begins',
  ],
])('the query %s', (query, name, code, rule) => {
  spec('listTasks', 400, `is refused at /query/${name}: ${rule}`, async () => {
    const { body } = await alice.fails('listTasks', 400, { query });

    expect(body.code).toBe('VALIDATION_ERROR');
    const detail = `The query parameter "${name}" ${rule}.`;
    expect(body.errors).toEqual([{ pointer: `/query/${name}`, code, detail }]);
  });
});

describe.each(['stauts', 'constructor', 'a/b~c'])('the unknown query parameter %s', (name) => {
  spec('listTasks', 400, 'is named, and the valid ones are listed', async () => {
    const { body } = await alice.fails('listTasks', 400, { query: `${encodeURIComponent(name)}=x` });

    expect(body.errors?.[0]?.pointer).toBe(`/query/${name.replace('~', '~0').replace('/', '~1')}`);
    expect(body.errors?.[0]?.detail).toContain('the query parameters are workspace_id, status, priority');
  });
});
