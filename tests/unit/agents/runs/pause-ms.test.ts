import { describe, expect, it } from 'vitest';
import { pauseMs } from '../../../../server/src/agents/runs/record-result.ts';
import { readRetryAfter } from '../../../../server/src/agents/runtimes/openai/failures.ts';

describe('the pause before a server is asked again', () => {
  const pauses = (retryAfterMs: number | undefined, random: number): number[] =>
    [1, 2, 3, 7, 8, 500].map((failures) => pauseMs(failures, retryAfterMs, random));

  it('doubles up to 30 seconds, and half of it is random', () => {
    expect(pauses(undefined, 0)).toEqual([250, 500, 1000, 15_000, 15_000, 15_000]);
    expect(pauses(undefined, 1)).toEqual([500, 1000, 2000, 30_000, 30_000, 30_000]);
  });

  it('is a little longer than the server asks for, and never longer than a minute', () => {
    expect(pauses(10_000, 1)).toEqual([10_125, 10_250, 10_500, 17_500, 17_500, 17_500]);
    expect(pauses(3_600_000, 0)).toEqual([60_000, 60_000, 60_000, 60_000, 60_000, 60_000]);
  });

  it('grows even if the server asks for none', () => {
    expect(pauses(0, 0)).toEqual([62.5, 125, 250, 3750, 3750, 3750]);
  });
});

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
])('readRetryAfter reads %j as %j milliseconds', (value, ms) => {
  expect(readRetryAfter(value, now)).toBe(ms);
});
