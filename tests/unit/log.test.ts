import { describe, expect, it } from 'vitest';
import { createLogger } from '../../server/src/log.ts';

describe('createLogger', () => {
  it('logs message, code and stack of a plain object that is emitted as an error', () => {
    const err = { message: 'the connection broke', code: '57P01', stack: 'at here', queue: 'runs' };

    expect(logged(err)).toEqual({ message: 'the connection broke', code: '57P01', stack: 'at here' });
  });

  it('logs type, message, code, stack and causes of an error, and nothing that a driver attached', () => {
    const cause = Object.assign(new TypeError('inner'), { parameters: ['secret'] });
    const err = Object.assign(new Error('outer', { cause }), { code: '23505', detail: 'secret' });

    expect(logged(err)).toEqual({
      type: 'Error',
      message: 'outer',
      code: '23505',
      stack: err.stack,
      cause: { type: 'TypeError', message: 'inner', stack: cause.stack },
    });
  });

  it.each([
    ['a text', 'a text'],
    [null, 'null'],
  ])('logs %j, which is not an error, as text', (err, text) => {
    expect(logged(err)).toBe(text);
  });
});

/** The `err` of the line that is logged for a failure. */
function logged(err: unknown): unknown {
  const lines: string[] = [];
  createLogger('info', { write: (line) => lines.push(line) }).warn({ err }, 'it failed');
  return (JSON.parse(lines[0] ?? '') as { err: unknown }).err;
}
