import { expect, it } from 'vitest';
import { readPrefer } from '../../../../server/src/agents/responses/respond-to-run.ts';

it.each([
  [undefined, { waitMs: undefined, applied: undefined }],
  ['', { waitMs: undefined, applied: undefined }],
  ['return=minimal', { waitMs: undefined, applied: undefined }],
  ['respond-async', { waitMs: 0, applied: 'respond-async' }],
  ['Respond-Async', { waitMs: 0, applied: 'respond-async' }],
  ['wait=5', { waitMs: 5000, applied: 'wait=5' }],
  ['wait = "5"', { waitMs: 5000, applied: 'wait=5' }],
  ['respond-async, wait=10', { waitMs: 10_000, applied: 'wait=10' }],
  ['wait=86400', { waitMs: 600_000, applied: 'wait=600' }],
  ['wait=soon', { waitMs: undefined, applied: undefined }],
  ['wait=-1', { waitMs: undefined, applied: undefined }],
])('readPrefer reads %j', (header, preference) => {
  expect(readPrefer(header)).toEqual(preference);
});
