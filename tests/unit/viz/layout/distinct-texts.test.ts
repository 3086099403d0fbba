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

  it('shortens all at the start where their middles are equal too', () => {
    const plurals = ['/api/v1/customers/payments', '/api/v1/customers/shipments', '/api/v1/customers/users'];

    expect(shortenedApart(plurals, () => 60, style)).toEqual(['…/payments', '…/shipments', '…mers/users']);
  });

  it('leaves of no text what could be another one', () => {
    const teams = ['Customer team 1', 'Customer team 2'];

    expect(shortenedApart(teams, (i) => 60 - i * 20, style)).toEqual(['Custo…am 1', 'Cu…m 2']);
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
