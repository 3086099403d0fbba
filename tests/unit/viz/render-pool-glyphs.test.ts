import { describe, expect, it, onTestFinished } from 'vitest';
import { overloadedBy } from '../../../server/src/errors.ts';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import { RenderPool } from '../../../server/src/viz/render-pool.ts';
import { points, sceneOf } from './layout/shapes.ts';

describe('a character that no font has', () => {
  it('is reported once', async () => {
    const reported: string[] = [];
    const pool = start((letters) => {
      reported.push(letters);
    });
    const rare = sceneOf({ title: 'a\u{10fff0}b', data: points(1) });

    const painted = [
      await pool.paint({ format: 'png', scene: rare }, 'alice'),
      await pool.paint({ format: 'pdf', scene: rare }, 'alice'),
    ];

    expect(painted.map(({ missing }) => missing)).toEqual(['\u{10fff0}', '\u{10fff0}']);
    expect(reported).toEqual(['\u{10fff0}']);
  });

  it('is not reported any more after about a thousand others', async () => {
    const reported: string[] = [];
    const pool = start((letters) => {
      reported.push(...Array.from(letters));
    });
    for (let first = 0xf0000; first < 0xf0000 + 2000; first += 20) {
      const title = String.fromCodePoint(...Array.from({ length: 20 }, (_, i) => first + i));
      await pool.paint({ format: 'png', scene: sceneOf({ title, data: points(1) }) }, 'alice');
    }

    expect(new Set(reported).size).toBe(reported.length);
    expect(reported.length).toBeGreaterThan(500);
    expect(reported.length).toBeLessThan(1300);
  });
});

function start(onMissing: (characters: string) => void): RenderPool {
  const waiting = new FairLimit(100, overloadedBy('CHART_WORKERS'));
  const pool = new RenderPool({ workers: 1, waiting, onExit: () => undefined, onMissing });
  onTestFinished(() => pool.close());
  return pool;
}
