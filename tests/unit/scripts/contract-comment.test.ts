import { describe, expect, it } from 'vitest';
import contract from '../../../server/src/generated/openapi.json' with { type: 'json' };
import { contractAdditions } from '../../../scripts/breaking/compare-contracts.ts';
import { markdown } from '../../../scripts/breaking/report.ts';
import { set, type Mutation } from './mutation.ts';

const schemas = 'components/schemas';
const list = 'paths/~api~tasks/get';

/** Additions: a path, its new value, and what the comment says about it. */
const additions: readonly (readonly [Mutation, string])[] = [
  [
    ['paths/~api~more', { get: { operationId: 'getMore', responses: {} } }],
    'GET /api/more: the operation is new',
  ],
  [
    [`${list}/parameters/-`, { name: 'color', in: 'query', schema: { type: 'string' } }],
    'GET /api/tasks query parameter "color": is new',
  ],
  [
    [`${list}/parameters/sort/schema/enum/-`, 'color'],
    'GET /api/tasks query parameter "sort": now accepts "color"',
  ],
  [
    [`${list}/responses/200/headers/X-Color`, { schema: { type: 'string' } }],
    'GET /api/tasks 200 header X-Color: is new',
  ],
  [
    [`${list}/responses/200/content/text~csv`, { schema: { type: 'string' } }],
    'GET /api/tasks 200 text/csv: the media type is new',
  ],
  [[`${schemas}/Task/properties/color`, { type: 'string' }], 'Task in a response/color: the property is new'],
  [
    [`${schemas}/AgentCreate/properties/color`, { type: 'string' }],
    'AgentCreate in a request/color: the property is new',
  ],
  [
    [`${schemas}/ChartRequest/properties/chart_type/enum/-`, 'donut'],
    'ChartRequest in a request/chart_type: now accepts "donut"',
  ],
];

describe('the additions of a contract', () => {
  it.each(additions)('%j', (mutation, sentence) => {
    expect(contractAdditions(contract, set(contract, mutation))).toContain(sentence);
    expect(contractAdditions(set(contract, mutation), contract)).not.toContain(sentence);
  });

  it('are none between equal contracts', () => {
    expect(contractAdditions(contract, structuredClone(contract))).toEqual([]);
  });
});

describe('the comment on a pull request', () => {
  const approvals = [{ break: 'A: is removed', reason: 'Nobody used it.' }];

  it('separates breaks, approved breaks and additions', () => {
    const text = markdown({
      baseline: '0.1.0',
      breaks: ['A: is removed', 'B: is removed'],
      additions: ['C: is new'],
      approvals,
    });

    expect(text).toBe(`## The contract, compared with 0.1.0

### Breaks that need an approval or a revert

- B: is removed

### Approved breaks

- A: is removed (Nobody used it.)

### Additions

- C: is new
`);
  });

  it('says that nothing has changed', () => {
    const text = markdown({ baseline: '0.1.0', breaks: [], additions: [], approvals: [] });

    expect(text).toContain('Nothing has changed for clients.');
  });

  it('shows texts of the contract as they are, and not as Markdown or HTML', () => {
    const text = markdown({
      baseline: '0.1.0',
      breaks: [],
      additions: ['<img src=x> [a](b) `c` *d*'],
      approvals: [],
    });

    expect(text).toContain('\\<img src=x\\> \\[a\\](b) \\`c\\` \\*d\\*');
  });
});
