import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartFrom, errorsOfRequest } from '../../../server/src/viz/chart.ts';
import { layout } from '../../../server/src/viz/layout/layout.ts';
import { capHeight } from '../../../server/src/viz/layout/sizes.ts';
import { textWidth } from '../../../server/src/viz/layout/text-width.ts';
import type { Scene, Text, Texts } from '../../../server/src/viz/scene.ts';
import { requestOf } from '../../gallery/cases.ts';

const value = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 1000 }) },
  { weight: 1, arbitrary: fc.double({ min: -1e7, max: 1e7, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(null, 0, 0.1 + 0.2, 999_999) },
);
const kinds = fc.constantFrom(
  { chart_type: 'bar' } as const,
  { chart_type: 'bar', orientation: 'horizontal' } as const,
  { chart_type: 'bar', stacked: true } as const,
  { chart_type: 'bar', stacked: true, orientation: 'horizontal' } as const,
  { chart_type: 'line' } as const,
  { chart_type: 'line', area: true } as const,
  { chart_type: 'line', area: true, stacked: true } as const,
);
const formats = fc.constantFrom(
  {},
  { format: 'compact' } as const,
  { format: 'percent' } as const,
  { format: 'currency', currency: 'EUR' } as const,
  { unit: ' km/h', decimals: 1 },
);
const request = fc
  .record({
    kind: kinds,
    formats,
    locale: fc.constantFrom('en', 'de', 'fr', 'ru', 'ja'),
    width: fc.integer({ min: 300, max: 1600 }),
    height: fc.integer({ min: 200, max: 900 }),
    subtitle: fc.option(fc.lorem({ maxCount: 30 }), { nil: null }),
    source: fc.option(fc.lorem({ maxCount: 30 }), { nil: null }),
    values: fc.constantFrom('always' as const, 'auto' as const),
    lines: fc.array(
      fc.record({ value: fc.integer({ min: -100, max: 1500 }), label: fc.lorem({ maxCount: 4 }) }),
      {
        maxLength: 5,
      },
    ),
    columns: fc.array(fc.array(value, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 4 }),
  })
  .map(({ kind, formats: format, columns, ...rest }) => {
    const data = columns.map((values) => values.map((each, i) => ({ label: `Label ${i}`, value: each })));
    const [one = []] = data;
    return requestOf({
      ...rest,
      ...kind,
      ...format,
      ...(data.length === 1 && !('stacked' in kind)
        ? { data: one }
        : { series: data.map((each, i) => ({ name: `Series ${i}`, data: each })) }),
    });
  })
  .filter((valid) => errorsOfRequest(valid).length === 0);

describe('for any chart with its values, reference lines and captions', () => {
  it('no text touches another one', () => {
    fc.assert(
      fc.property(request, (valid) => {
        expect(overlapsIn(layout(chartFrom(valid)))).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  it('every text is inside the picture', () => {
    fc.assert(
      fc.property(request, (valid) => {
        const scene = layout(chartFrom(valid));
        const outside = boxesIn(scene).filter(
          ({ left, top, right, bottom }) =>
            left < -1 || top < -1 || right > scene.width + 1 || bottom > scene.height + 1,
        );

        expect(outside).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });
});

interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The boxes of level and upright texts. Those that are turned by 45 degrees are below the plot. */
function boxesIn({ shapes }: Scene): TextBox[] {
  return shapes.flatMap((shape) =>
    shape.kind === 'texts' && shape.angle !== 45 ? shape.texts.map((text) => boxOf(shape, text)) : [],
  );
}

function boxOf({ size, weight, anchor = 'start', angle = 0 }: Texts, { x, y, text }: Text): TextBox {
  const width = textWidth(text, size, weight);
  const before = width * { start: 0, middle: 0.5, end: 1 }[anchor];
  const height = size * capHeight;
  if (angle === 0) return { text, left: x - before, right: x - before + width, top: y - height, bottom: y };
  return { text, left: x - height, right: x, top: y + before - width, bottom: y + before };
}

function overlapsIn(scene: Scene): string[] {
  const boxes = boxesIn(scene);
  return boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .map((b) => `${a.text} / ${b.text}`),
  );
}
