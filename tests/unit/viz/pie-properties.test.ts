import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sceneOf, shapesOf } from './layout/shapes.ts';
import {
  distanceTo,
  distanceToBox,
  doCross,
  doesEnter,
  illegibleTexts,
  segmentsOf,
  textBoxes,
} from './geometry.ts';
import { anyName } from './names.ts';

const sizes = [
  [300, 200],
  [400, 300],
  [500, 500],
  [800, 600],
  [1600, 900],
] as const;
const pie = fc.record({
  chart_type: fc.constant('pie' as const),
  title: fc.constantFrom('', 'Share of each department in the budget of the year 2026'),
  data: fc.array(
    fc.record({ label: anyName, value: fc.integer({ min: 1, max: 40 }).map((root) => root ** 2) }),
    { minLength: 1, maxLength: 30 },
  ),
});

describe.each(sizes)('any pie of %i by %i pixels', (width, height) => {
  it('has leader lines that cross neither each other nor the disc nor a text', () => {
    fc.assert(
      fc.property(pie, (request) => {
        const scene = sceneOf({ ...request, width, height });
        const [disc] = shapesOf(scene, 'wedges');
        const [, leaders] = shapesOf(scene, 'rules');
        const lines = (leaders?.lines ?? []).map(segmentsOf);
        const boxes = textBoxes(scene);
        const crossing = lines.flatMap((line, i) =>
          lines.slice(i + 1).filter((other) => line.some((a) => other.some((b) => doCross(a, b)))),
        );
        const inDisc = lines
          .flat()
          .filter((line) => disc && distanceTo([disc.x, disc.y], line) < disc.radius);
        const inText = boxes.filter((box) => lines.flat().some((line) => doesEnter(line, box)));

        expect({ crossing, inDisc, inText }).toEqual({ crossing: [], inDisc: [], inText: [] });
      }),
      { numRuns: 400 },
    );
  });

  it('has texts that overlap neither each other nor the disc, inside the picture', () => {
    fc.assert(
      fc.property(pie, (request) => {
        const scene = sceneOf({ ...request, width, height });
        const [disc] = shapesOf(scene, 'wedges');
        const boxes = textBoxes(scene);
        const inDisc = boxes.filter((box) => disc && distanceToBox([disc.x, disc.y], box) < disc.radius);

        expect({ illegible: illegibleTexts(scene), inDisc }).toEqual({ illegible: [], inDisc: [] });
      }),
      { numRuns: 400 },
    );
  });

  it('has a disc of at least half the shorter side', () => {
    fc.assert(
      fc.property(pie, (request) => {
        const [disc] = shapesOf(sceneOf({ ...request, width, height }), 'wedges');

        expect(disc?.radius).toBeGreaterThanOrEqual(Math.min(width, height) / 4 - 1e-6);
      }),
      { numRuns: 200 },
    );
  });

  it('names every slice beside the disc or in the legend', () => {
    fc.assert(
      fc.property(pie, (request) => {
        const scene = sceneOf({ ...request, width, height });
        const [, leaders] = shapesOf(scene, 'rules');
        const swatches = shapesOf(scene, 'bars').length;
        const slices = shapesOf(scene, 'wedges')[0]?.wedges.length ?? 0;

        expect((leaders?.lines.length ?? 0) + swatches).toBe(slices);
      }),
      { numRuns: 200 },
    );
  });
});
