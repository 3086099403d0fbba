import { describe, expect } from 'vitest';
import { sharedServer } from '../../support/server.ts';
import { spec } from '../../support/spec.ts';

const alice = await sharedServer().as('alice');

/** JSON that repeats an entry `times` times, by default as often as fits into almost 1 MiB. */
function repeated(entry: string, times = Math.floor((2 ** 20 - 100) / (entry.length + 1))): string {
  return `[${`${entry},`.repeat(times - 1)}${entry}]`;
}

describe.each(['0', '{}'])('half a million entries such as %s', (entry) => {
  describe.each(['renderSvg', 'renderPng', 'renderPdf'] as const)('as data of %s', (operation) => {
    spec(operation, 400, 'are refused with the first hundred errors, the length among them', async () => {
      const { body } = await alice.fails(operation, 400, { body: `{"data":${repeated(entry)}}` });

      expect(body.code).toBe('VALIDATION_ERROR');
      expect(body.errors).toHaveLength(100);
      expect(body.errors?.[0]).toEqual({
        pointer: '/data',
        code: 'too_many',
        detail: 'Data must not have more than 10000 items.',
      });
    });
  });

  spec('renderSvg', 400, 'are refused as colors', async () => {
    const { body } = await alice.fails('renderSvg', 400, { body: `{"data":[],"colors":${repeated(entry)}}` });

    expect(body.errors?.[0]?.pointer).toBe('/colors');
  });

  spec('createAgent', 400, 'are refused as skills, by their number or as too many values', async () => {
    const { body } = await alice.fails('createAgent', 400, {
      body: `{"name":"x","skills":${repeated(entry, 20_000)}}`,
    });
    const { body: tooMany } = await alice.fails('createAgent', 400, {
      body: `{"name":"x","skills":${repeated(entry)}}`,
    });

    expect(tooMany.detail).toBe('The body has more than 50000 values. Send fewer.');
    expect(body.errors?.[0]).toEqual({
      pointer: '/skills',
      code: 'too_many',
      detail: 'Skills must not have more than 50 items.',
    });
  });
});
