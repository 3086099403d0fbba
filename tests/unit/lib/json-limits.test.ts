import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyLimits, findExcess } from '../../../server/src/lib/json-limits.ts';

const excessOf = (json: string, limits = bodyLimits): string | undefined =>
  findExcess(Buffer.from(json), limits);

/** Checks the limits of `small` by visiting the parsed value. */
function isAllowed(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === small.depthMax) return false;
  return Object.entries(value).every(([key, child]) => {
    const isSafe = Array.isArray(value) || key !== '__proto__';
    return isSafe && isAllowed(child, depth + 1);
  });
}

const small = { depthMax: 4, valuesMax: 1000 };

/** JSON with each character of its texts and keys written in a random way. */
const escapedJson = fc
  .tuple(
    fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('"x"', '1', 'null', '"__proto__"', '"\\"__proto__\\":"'),
        fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join()}]`),
        fc
          .uniqueArray(fc.tuple(fc.constantFrom('a', 'constructor', '__proto__'), tie('value')), {
            maxLength: 3,
            selector: ([key]) => key,
          })
          .map((members) => `{${members.map(([key, value]) => `"${key}" : ${String(value)}`).join()}}`),
      ),
    })).value,
    fc.constantFrom('_', 'o', 'r'),
  )
  .map(([json, letter]) => {
    const code = letter.charCodeAt(0).toString(16).padStart(4, '0');
    // Replaces the letter only in keys, which are followed by a space here.
    return json.replaceAll(/"(\w+)" :/g, (_, key: string) => `"${key.replace(letter, `\\u${code}`)}" :`);
  });

describe('JSON', () => {
  it('is refused exactly if it is too deep or has a key that could change a prototype', () => {
    fc.assert(
      fc.property(escapedJson, (json) => {
        expect(excessOf(json, small) === undefined).toBe(isAllowed(JSON.parse(json)));
      }),
      { numRuns: 3000 },
    );
  });

  it('that is broken is left to the parser', () => {
    for (const json of ['{"', '"\\', '{"__proto__', '{"__proto__"', '{"\\u00zz":1}', ']]]]', '{"a":}'])
      expect(excessOf(json)).toBeUndefined();
  });
});
