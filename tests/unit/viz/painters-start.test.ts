import { afterEach, describe, expect, it, vi } from 'vitest';
import { Painters } from '../../../server/src/viz/painters.ts';
import { points, sceneOf } from './layout/shapes.ts';

const scene = sceneOf({ data: points(1, 2, 3) });
const deaths: string[] = [];
const painters = new Painters({
  painters: 2,
  queueMax: 100,
  onDeath: (reason) => deaths.push(reason),
  onMissing: () => undefined,
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await painters.close();
});

describe('Painters whose processes cannot start', () => {
  it('fail every picture instead of keeping it waiting, try less and less often, and recover', async () => {
    const fault = new URL('../../support/faults/no-start.ts', import.meta.url);
    vi.stubEnv('NODE_OPTIONS', `--import ${fault.href}`);

    const outcomes = await Promise.allSettled([1, 2, 3].map(() => painters.paint('png', scene)));
    const later = painters.paint('pdf', scene);

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'RENDER_ERROR' } });
    }
    await expect(later).rejects.toMatchObject({
      code: 'RENDER_ERROR',
      cause: { message: 'No painter process can start (exit code 3).' },
    });
    expect(painters.waiting).toBe(0);
    expect(deaths.length).toBeLessThan(10);

    vi.unstubAllEnvs();
    await expect.poll(() => painters.paint('png', scene).catch(() => 'not yet')).toMatch(/^iVBOR/);
  });
});
