import { describe, expect, it } from 'vitest';
import { notationOf } from '../../../../server/src/viz/layout/numbers.ts';
import { valueFormatsOf } from '../../../../server/src/viz/layout/value-formats.ts';
import { points, sceneOf, wordsOf } from './shapes.ts';

type Wishes = Parameters<typeof valueFormatsOf>[0];

describe('the format of values', () => {
  it.each<[string, Partial<Wishes>, number[], string[]]>([
    ['without short units', { format: 'number' }, [2_500_000, 12], ['2,500,000', '12']],
    ['with short units', { format: 'compact' }, [1234, 800], ['1.23k', '0.80k']],
    ['with a short unit each', { format: 'compact' }, [2_746_984, 12], ['2.75M', '12']],
    ['as percentages', { format: 'percent' }, [0.25, -0.071], ['25.0%', '-7.1%']],
    ['as euros', { format: 'currency', currency: 'EUR' }, [12.5, -3], ['€12.50', '-€3.00']],
    ['as whole euros', { format: 'currency', currency: 'EUR' }, [1200, 900], ['€1,200', '€900']],
    ['as millions of euros', { format: 'currency', currency: 'EUR' }, [1.5e6, 2e6], ['€1.5M', '€2.0M']],
    ['as yen', { format: 'currency', currency: 'JPY' }, [1200, 900], ['¥1,200', '¥900']],
    ['with a unit', { unit: ' ms' }, [12, 0], ['12 ms', '0 ms']],
    ['with decimals', { decimals: 2 }, [1_234_567, 3.14159], ['1,234,567.00', '3.14']],
    ['with no decimals', { decimals: 0 }, [2.6, -0.2], ['3', '0']],
    ['with decimals and short units', { format: 'compact', decimals: 1 }, [1_250_000, 3e6], ['1.3M', '3.0M']],
    [
      'in German',
      { locale: 'de', format: 'currency', currency: 'EUR' },
      [-1234.5, 2],
      ['-1.234,50 €', '2,00 €'],
    ],
    ['in Turkish', { locale: 'tr', format: 'percent' }, [0.42, -0.1], ['%42', '-%10']],
    ['in Japanese', { locale: 'ja', format: 'compact' }, [4_560_000, 90_000], ['456万', '9万']],
  ])('is %s', (_what, wishes, values, texts) => {
    const formats = valueFormatsOf({ locale: 'en', ...wishes });

    expect(values.map(notationOf(values, formats).write)).toEqual(texts);
  });

  it('is that of ticks and descriptions too', () => {
    const scene = sceneOf({ data: points(0.2, 0.55), format: 'percent' });

    expect(wordsOf(scene)).toEqual(expect.arrayContaining(['20%', '55%', '40%', '60%']));
    expect(scene.description).toBe('Bar chart. a: 20%; b: 55%.');
  });

  it('gives ticks the decimals they need, and steps that need none where there are such', () => {
    const ticks = (decimals: number, ...values: number[]): string[] =>
      wordsOf(sceneOf({ chart_type: 'line', data: points(...values), decimals })).filter((word) =>
        /\d/.test(word),
      );

    expect(ticks(0, 0.5, 3.2)).toEqual(['0', '1', '2', '3', '4']);
    expect(ticks(0, 0.2, 0.3)).toEqual(expect.arrayContaining(['0.20', '0.30']));
  });

  it('has the full values in descriptions', () => {
    const { description } = sceneOf({ data: points(1_234_567.25, 1e308), locale: 'de', unit: ' km' });

    expect(description).toBe('Balkendiagramm. a: 1.234.567,25 km; b: 1e308 km.');
  });
});
