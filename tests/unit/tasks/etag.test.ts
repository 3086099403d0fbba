import { describe, expect, it } from 'vitest';
import { matchesIfNoneMatch, versionsOfIfMatch } from '../../../server/src/tasks/etag.ts';

describe('versionsOfIfMatch', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    ['"1"', [1]],
    ['"1", "22"', [1, 22]],
    ['W/"1"', []],
    ['"01"', []],
    ['"abc", "99999999999999999999"', []],
    ['', []],
  ])('reads %j as %j', (header, versions) => {
    expect(versionsOfIfMatch(header)).toEqual(versions);
  });
});

describe('matchesIfNoneMatch', () => {
  it.each([
    ['"2"', true],
    ['W/"2"', true],
    ['"1","2"', true],
    ['*', true],
    ['"1"', false],
    ['2', false],
    [undefined, false],
  ])('compares %j with version 2: %j', (header, matches) => {
    expect(matchesIfNoneMatch(header, 2)).toBe(matches);
  });
});
