import { describe, expect, it } from 'vitest';
import { distinctTexts, shortenedApart } from '../../../../server/src/viz/layout/distinct-texts.ts';

const style = { size: 10 };
const routes = ['/api/v1/customers/orders', '/api/v1/customers/invoices'];

describe('shortenedApart', () => {
  it('shortens at the end where texts stay different', () => {
    expect(shortenedApart(['Environment and energy', 'Research and energy'], () => 60, style)).toEqual([
      'Environme…',
      'Research…',
    ]);
  });

  it('shortens in the middle where the ends differ', () => {
    expect(shortenedApart(routes, () => 60, style)).toEqual(['/api/v…rders', '/api/v…oices']);
  });

  it('shortens equal texts alike', () => {
    expect(shortenedApart(['Environment', 'Environment'], () => 40, style)).toEqual(['Enviro…', 'Enviro…']);
  });

  it('gives up where different texts would look alike', () => {
    expect(shortenedApart(['aaaaaaaaabaaaaaaaaa', 'aaaaaaaaacaaaaaaaaa'], () => 40, style)).toBeUndefined();
  });
});

describe('distinctTexts', () => {
  it('numbers texts that would look alike', () => {
    expect(distinctTexts(['aaaaaaaaabaaaaaaaaa', 'aaaaaaaaacaaaaaaaaa'], 40, style)).toEqual([
      'aaa… 1',
      'aaa… 2',
    ]);
  });
});
