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

  spec('renderSvg', 400, 'are refused in any place if they are more than 150,000', async () => {
    const { body } = await alice.fails('renderSvg', 400, { body: `{"data":[],"x":${repeated(entry)}}` });

    expect(body.detail).toBe('The body has more than 150000 values. Send fewer.');
  });
});

describe('a body', () => {
  spec('createTask', 400, 'with more than 50,000 values is refused, also in ignored fields', async () => {
    const { body } = await alice.fails('createTask', 400, {
      body: `{"title":"x","x":${repeated('0', 50_000)}}`,
    });

    expect(body.detail).toBe('The body has more than 50000 values. Send fewer.');
  });

  spec('renderSvg', 400, 'of a chart with more than 16 levels is refused', async () => {
    const body = `{"data":[],"x":${'['.repeat(16)}${']'.repeat(16)}}`;

    expect((await alice.fails('renderSvg', 400, { body })).body.detail).toBe(
      'The body is nested deeper than 16 levels. Flatten it.',
    );
  });

  spec('createTask', 201, 'may have values in ignored fields, and any separators in its texts', async () => {
    const description = '",[{}]\\'.repeat(9_000);
    const body = `{"title":"x","x":${repeated('0', 49_000)},"description":${JSON.stringify(description)}}`;

    expect((await alice.ok('createTask', { body })).body.task.description).toBe(description);
  });

  spec('createTask', 400, 'with a key that could change a prototype is refused', async () => {
    const body = '{"title":"x","x":[{"__proto\\u005f_":{}}]}';

    expect((await alice.fails('createTask', 400, { body })).body.detail).toBe(
      'The body has the key __proto__. Leave it out.',
    );
  });
});
