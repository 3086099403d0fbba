import { expect, it } from 'vitest';
import document from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { findBreach } from '../../support/contract.ts';

const { task } = document.paths['/api/tasks'].post.responses[201].content['application/json'].example;
const { etag, ...withoutEtag } = task;
const ofTask = { 'X-Request-Id': 'r-1', ETag: etag };
const json = { 'Content-Type': 'application/json' };
const valid = { status: 200, headers: { ...json, ...ofTask }, body: { task } };

it.each<
  [what: string, change: { status?: number; headers?: Record<string, string>; body?: object }, breach: RegExp]
>([
  ['an undocumented status', { status: 201 }, /^the status is not documented/],
  ['an undocumented header', { headers: { ...valid.headers, 'X-Debug': '1' } }, /^undocumented headers x-d/],
  ['a header that is missing', { headers: { ...json, ETag: etag } }, /^the header X-Request-Id is missing/],
  ['another media type', { headers: { ...ofTask, 'Content-Type': 'text/html' } }, /^the media type "text/],
  ['an undocumented field', { body: { task: { ...task, stack: 'at' } } }, /^body\/task\/stack is not docu/],
  ['a field that is missing', { body: { task: withoutEtag } }, /^body\/task must have required .*'etag'/],
  ['a field of another type', { body: { task: { ...task, title: 7 } } }, /^body\/task\/title must be string/],
])(
  'the client of the tests finds %s in a response, and nothing in one without it',
  (_what, change, breach) => {
    const [right, wrong] = [valid, { ...valid, ...change }].map(({ headers, ...response }) =>
      findBreach('getTask', { ...response, headers: new Headers(headers) }),
    );

    expect(right).toBeUndefined();
    expect(wrong).toMatch(breach);
  },
);
