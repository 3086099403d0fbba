import { expect, it } from 'vitest';
import { tagsFromText } from '../../../server/src/tasks/tags.ts';

it.each([
  [null, []],
  ['', []],
  ['a', ['a']],
  [' a , b,,a', ['a', 'b']],
  ['["a","b c"]', ['a', 'b c']],
  [' ["a", 1, null, ["b"]]', ['a']],
  ['["a"', ['["a"']],
  ['{"a":1}', ['{"a":1}']],
])('tagsFromText reads %j as %j', (text, tags) => {
  expect(tagsFromText(text)).toEqual(tags);
});
