import { describe, expect } from 'vitest';
import { createAgent } from '../support/agents.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

const server = sharedServer();

const alice = await server.as('alice');

describe.each([
  ['white space of several scripts', ' \t\u00a0\u2003\u3000\u2028'],
  ['a zero-width space', '\u200b'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['joiners and directions', '\u200d\u2060\u202e\u2066'],
  ['fillers of Hangul', '\u3164\u115f\uffa0'],
  ['variation selectors and tags', '\ufe0f\u{e0100}\u{e0041}'],
  ['control characters', '\u0007\u009f'],
  ['an empty Braille cell', '\u2800'],
])('text that consists of %s', (_what, text) => {
  spec('createTask', 400, 'is blank, as a title and as a status', async () => {
    const { body } = await alice.fails('createTask', 400, { body: { title: text, status: text } });

    expect(body.errors).toEqual([
      { pointer: '/title', code: 'not_blank', detail: 'Title must not be blank.' },
      { pointer: '/status', code: 'not_blank', detail: 'Status must not be blank.' },
    ]);
  });

  spec('createComment', 400, 'is blank, as a comment', async () => {
    const { id } = await createTask(alice);

    await alice.fails('createComment', 400, { id, body: { body: text } });
  });

  spec('createAgent', 400, 'is blank, as the name of an agent', async () => {
    await alice.fails('createAgent', 400, { body: { name: text } });
  });

  spec('updateSession', 400, 'is blank, as the title of a session', async () => {
    const { body } = await alice.fails('updateSession', 400, { id: 'any', body: { title: text } });

    expect(body.errors).toMatchObject([{ pointer: '/title', code: 'not_blank' }]);
  });

  spec('runAgent', 400, 'is blank, as the input of a run', async () => {
    const { id } = await createAgent(alice);

    await alice.fails('runAgent', 400, { id, body: { input: text } });
  });
});

describe.each(['x', '👩\u200d💻', '\u200bx', 'é', '5', '—'])(
  'text that has a visible character: %s',
  (text) => {
    spec('createTask', 201, 'is a title', async () => {
      expect((await createTask(alice, { title: text, status: text })).title).toBe(text);
    });
  },
);

describe.each([
  ['9007199254740993', 'too_large', 'Priority must be at most 9007199254740991.'],
  ['-9007199254740993', 'too_small', 'Priority must be at least -9007199254740991.'],
  ['1e300', 'too_large', 'Priority must be at most 9007199254740991.'],
])('the priority %s', (priority, code, detail) => {
  spec('createTask', 400, 'is refused, because numbers of this size are not exact in JSON', async () => {
    const { body } = await alice.fails('createTask', 400, { body: `{"title":"x","priority":${priority}}` });

    expect(body.errors).toEqual([{ pointer: '/priority', code, detail }]);
  });

  spec('createTask', 201, 'is kept as text', async () => {
    expect((await createTask(alice, { priority })).priority).toBe(priority);
  });
});

spec(
  'listTasks',
  200,
  'a letter and its composition differ, and are returned as they were sent',
  async () => {
    const client = await server.as('composing');
    for (const title of ['caf\u00e9', 'cafe\u0301']) await createTask(client, { title });

    for (const q of ['caf\u00e9', 'cafe\u0301']) {
      const { body } = await client.ok('listTasks', { query: { q } });
      expect(body.tasks.map(({ title }) => title)).toEqual([q]);
    }
  },
);

describe.each(['q=%FF', 'q=a%C3', 'status=%ED%A0%80', '%80=x', '_ignored=%FF'])('the query %s', (query) => {
  spec('listTasks', 400, 'is refused because it is not UTF-8', async () => {
    const { body } = await alice.fails('listTasks', 400, { query });

    expect(body).toMatchObject({
      code: 'Bad Request',
      detail: expect.stringMatching(/^The query is not UTF-8/),
    });
  });
});

spec('listTasks', 200, 'a query may have the replacement character and a lone percent sign', async () => {
  const client = await server.as('replacing');
  await createTask(client, { title: '100% \ufffd' });

  expect((await client.ok('listTasks', { query: 'q=100%+%EF%BF%BD' })).body.count).toBe(1);
});
