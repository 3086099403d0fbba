import { describe, expect } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const alice = await sharedServer().as('alice');

/** JSON with an entry that is repeated `times` times. By default, it has almost 1 MiB. */
function repeated(entry: string, times = Math.floor((2 ** 20 - 100) / (entry.length + 1))): string {
  return `[${`${entry},`.repeat(times - 1)}${entry}]`;
}

describe.each(['0', '{}'])('many entries such as %s', (entry) => {
  spec('renderSvg', 400, 'are refused with the first hundred errors, the length among them', async () => {
    const { body } = await alice.fails('renderSvg', 400, { body: `{"data":${repeated(entry, 70_000)}}` });

    const detail = 'Data must not have more than 10000 items.';
    expect(body.code).toBe('VALIDATION_ERROR');
    expect(body.errors).toHaveLength(100);
    expect(body.errors?.[0]).toEqual({ pointer: '/data', code: 'too_many', detail });
  });
});

const inIgnored = (value: string): string => `{"title":"x","data":[],"x":${value}}`;
const nested = (levels: number): string => inIgnored(`${'['.repeat(levels)}${']'.repeat(levels)}`);

// Ignored fields count too.
describe.each([
  ['createTask', inIgnored(repeated('0', 50_000)), 'has more than 50000 values. Send fewer.'],
  ['renderSvg', inIgnored(repeated('0')), 'has more than 150000 values. Send fewer.'],
  ['renderSvg', inIgnored(repeated('{}')), 'has more than 150000 values. Send fewer.'],
  ['createTask', nested(20_000), 'is nested deeper than 64 levels. Flatten it.'],
  ['renderSvg', nested(16), 'is nested deeper than 16 levels. Flatten it.'],
  ['createTask', inIgnored('[{"__proto\\u005f_":{}}]'), 'has the key __proto__. Leave it out.'],
] as const)('a body of %s', (operation, body, sentence) => {
  spec(operation, 400, `is refused because it ${sentence}`, async () => {
    expect((await alice.fails(operation, 400, { body })).body.detail).toBe(`The body ${sentence}`);
  });
});

spec(
  'createTask',
  201,
  'a body may have many values in ignored fields, and separators in texts',
  async () => {
    const description = '",[{}]\\'.repeat(9_000);
    const body = `{"title":"x","x":${repeated('0', 49_000)},"description":${JSON.stringify(description)}}`;

    expect((await alice.ok('createTask', { body })).body.task.description).toBe(description);
  },
);
