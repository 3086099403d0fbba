import { describe, expect, it } from 'vitest';
import document from '../../server/src/generated/openapi.json' with { type: 'json' };
import { resolveReferences } from '../support/contract.ts';
import { sharedServer } from '../support/server.ts';
import { spec } from '../support/spec.ts';
import { createTask } from '../support/tasks.ts';

interface Limited {
  readonly maxLength?: number;
}

// The references are resolved, so a field is its schema.
const { properties } = resolveReferences(document.components.schemas.TaskFields) as {
  readonly properties: Readonly<Record<string, Limited & { readonly anyOf?: readonly Limited[] }>>;
};
// The limit of a text stands in the schema of its field, or in one of its alternatives.
const limits = Object.entries(properties).flatMap(([field, { anyOf = [], ...own }]) =>
  [own, ...anyOf].flatMap(({ maxLength }) => (maxLength === undefined ? [] : [[field, maxLength] as const])),
);

const alice = await sharedServer().as('alice');

it('every field of a task has a limit', () => {
  expect(limits.map(([field]) => field)).toEqual(Object.keys(properties));
});

describe.each(limits)('%s', (field, limit) => {
  const fields = (length: number): Record<string, string> => ({ title: 'x', [field]: 'x'.repeat(length) });

  spec('createTask', 201, `may have ${limit} characters, which are all stored`, async () => {
    expect(await createTask(alice, fields(limit))).toMatchObject(fields(limit));
  });

  spec('createTask', 400, `with ${limit + 1} characters is refused with the limit`, async () => {
    const { body } = await alice.fails('createTask', 400, { body: fields(limit + 1) });

    const detail = expect.stringMatching(`must not have more than ${limit} characters\\.$`);
    expect(body.errors).toEqual([{ pointer: `/${field}`, code: 'too_long', detail }]);
  });
});
