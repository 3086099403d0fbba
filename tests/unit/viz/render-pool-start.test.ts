import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import { RenderPool } from '../../../server/src/viz/render-pool.ts';
import { requestOf } from '../../../server/charts/gallery/cases.ts';
import { points } from '../../../server/charts/tests/layout/shapes.ts';

const request = requestOf({ data: points(1, 2, 3) });
const exits: string[] = [];
let pool: RenderPool;

beforeEach(() => {
  exits.length = 0;
  pool = new RenderPool({
    workers: 2,
    waiting: new FairLimit(400, 'chart_queue_length'),
    onExit: (reason) => exits.push(reason),
    onMissing: () => undefined,
  });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await pool.close();
});

describe('RenderPool whose processes cannot start', () => {
  it('survives a system that refuses to start them', async () => {
    const { execPath } = process;
    // `fork` throws the error for such a long name instead of emitting it.
    process.execPath = `/${'x'.repeat(5000)}`;
    onTestFinished(() => {
      process.execPath = execPath;
    });

    await expect(pool.paint({ format: 'png', request }, 'alice')).rejects.toMatchObject({
      code: 'RENDER_ERROR',
    });

    process.execPath = execPath;
    await expect
      .poll(() => pool.paint({ format: 'png', request }, 'alice').catch(() => 'not yet'))
      .toHaveProperty('picture');
  });
  it('rejects every picture instead of queueing it, backs off between starts, and recovers', async () => {
    const fault = new URL('../../support/faults/no-start.ts', import.meta.url);
    vi.stubEnv('NODE_OPTIONS', `--import ${fault.href}`);

    const outcomes = await Promise.allSettled(
      [1, 2, 3].map(() => pool.paint({ format: 'png', request }, 'alice')),
    );
    const later = pool.paint({ format: 'pdf', request }, 'alice');

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'RENDER_ERROR' } });
    }
    await expect(later).rejects.toMatchObject({
      code: 'RENDER_ERROR',
      cause: { message: 'No render process can start (exit code 3).' },
    });
    expect(pool.waiting.held).toBe(0);
    expect(exits.length).toBeLessThan(10);

    vi.unstubAllEnvs();
    await expect
      .poll(() => pool.paint({ format: 'png', request }, 'alice').catch(() => 'not yet'))
      .toHaveProperty('picture');
  });
});
