import { describe, expect, it } from 'vitest';
import { parseTraceparent } from '../../../../server/src/http/access-log.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';

describe('traceFrom', () => {
  it.each([`00-${trace}-${parent}-01`, `01-${trace}-${parent}-00-more`])('reads %s', (header) => {
    expect(parseTraceparent(header)).toEqual({ trace_id: trace, parent_id: parent });
  });

  it.each([
    '',
    'nonsense',
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01-more`,
    `ff-${trace}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
  ])('takes "%s" as absent', (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});
