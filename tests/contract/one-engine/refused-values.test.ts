import { describe, expect } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';
import { sorts } from '../../support/tasks.ts';

const alice = await sharedServer().as('alice');

const textRule = 'must not contain NUL characters or lone surrogates.';
const largest = 'Priority must be at most 9007199254740991.';

describe.each([
  ['title', undefined, 'required', 'Title is required.'],
  ['title', ' \n ', 'not_blank', 'Title must not be blank.'],
  ['title', 7, 'wrong_type', 'Title must be a string.'],
  ['title', 'x'.repeat(501), 'too_long', 'Title must not have more than 500 characters.'],
  ['title', 'a\0b', 'unsupported_character', `Title ${textRule}`],
  ['tags', 'a,'.repeat(50), 'malformed', 'Tags must not have more than 49 commas, which separate 50 tags.'],
  ['priority', {}, 'wrong_type', 'Priority must be a string or a number or a boolean or null.'],
  ['priority', 9007199254740992, 'too_large', largest],
  ['priority', 1e300, 'too_large', largest],
  ['priority', -9007199254740994, 'too_small', 'Priority must be at least -9007199254740991.'],
  ['due_date', 5, 'wrong_type', 'Due date must be a string or null.'],
])('a task whose %s is %.40j', (field, value, code, detail) => {
  spec('createTask', 400, `is refused with its pointer, a code and a sentence: ${detail}`, async () => {
    const { body } = await alice.fails('createTask', 400, { body: { title: 'x', [field]: value } });

    const errors = [{ pointer: `/${field}`, code, detail }];
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR', error: 'VALIDATION_ERROR', detail, errors });
  });
});

spec('createTask', 400, 'all wrong fields, including infinite numbers, are reported at once', async () => {
  const body = '{"status": 1, "tags": 2, "due_date": 3, "priority": 1e400}';

  const { body: problem } = await alice.fails('createTask', 400, { body });

  const pointers = problem.errors?.map(({ pointer }) => pointer).sort();
  expect(pointers).toEqual(['/due_date', '/priority', '/status', '/tags', '/title']);
});

const blank = {
  'white space of several scripts': ' \t\u00a0\u2003\u3000\u2028',
  'a zero-width space': '\u200b',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'joiners and directions': '\u200d\u2060\u202e\u2066',
  'fillers of Hangul': '\u3164\u115f\uffa0',
  'variation selectors and tags': '\ufe0f\u{e0100}\u{e0041}',
  'control characters': '\u0007\u009f',
  'an empty Braille cell': '\u2800',
};

spec('createTask', 400, 'a title without a visible character is refused', async () => {
  for (const [what, title] of Object.entries(blank)) {
    const { body } = await alice.fails('createTask', 400, { body: { title } });

    expect(body.errors, what).toMatchObject([{ pointer: '/title', code: 'not_blank' }]);
  }
});

describe.each(['q=%FF', 'q=a%C3', 'status=%ED%A0%80', '%80=x', '_ignored=%FF'])('the query %s', (query) => {
  spec('listTasks', 400, 'is refused because it is not UTF-8', async () => {
    const { body } = await alice.fails('listTasks', 400, { query });

    expect(body).toMatchObject({
      code: 'Bad Request',
      detail: expect.stringMatching(/^The query is not UTF-8/),
    });
  });
});

const moment =
  'must be a date such as 2026-12-31 or a date-time such as 2026-12-31T09:30:00Z (in a URL, write the + of an offset as %2B)';
const foreign =
  'must be a cursor that this list has returned, with the same filters and order; start again without cursor';

describe.each([
  ['limit=-1', 'limit', 'too_small', 'must be at least 0'],
  ['limit=1.5', 'limit', 'wrong_type', 'must be a whole number'],
  ['limit=', 'limit', 'wrong_type', 'must be a whole number'],
  ['limit=1e3', 'limit', 'wrong_type', 'must be a whole number'],
  ['offset=Infinity', 'offset', 'wrong_type', 'must be a whole number'],
  ['limit=9007199254740992', 'limit', 'too_large', 'must be at most 9007199254740991'],
  ['limit=1&limit=2', 'limit', 'repeated', 'must be given only once'],
  ['unassigned=1', 'unassigned', 'wrong_type', 'must be a boolean'],
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
