import { expect, it } from 'vitest';
import { readRetryAfter } from '../../../../server/src/agents/runtimes/openai/unavailability.ts';

const now = Date.parse('2026-11-21T10:00:00Z');

it.each([
  ['7', 7000],
  [' 0.5 ', 500],
  ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['soon', undefined],
  ['-3', 0],
  ['', undefined],
  [undefined, undefined],
])('reads the Retry-After %j as %j milliseconds', (value, ms) => {
  expect(readRetryAfter(value, now)).toBe(ms);
});
