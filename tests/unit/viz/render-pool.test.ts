import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import type { Job, Rendered } from '../../../server/src/viz/worker.ts';
import { RenderPool } from '../../../server/src/viz/render-pool.ts';
import { cases, requestOf } from '../../../server/charts/gallery/cases.ts';
import { points } from '../../../server/charts/tests/layout/shapes.ts';

type Request = Job['request'];

const small = requestOf({ data: points(1, 2, 3) });
const large = requestOf({ width: 2000, height: 2000, data: points(1, 2, 3) });

/** Starts a pool with capacity for this many pictures of the usual size, those being drawn included. */
function startPool(max = 400, processes = 1) {
  // Why processes ended.
  const exits: string[] = [];
  const limit = new FairLimit(max, 'chart_queue_length');
  const pool = new RenderPool(processes, limit, (reason) => exits.push(reason));
  onTestFinished(() => pool.close());
  const paint = (request: Request, user = 'alice'): Promise<Rendered> =>
    pool.paint({ format: 'png', request }, user);
  return { pool, paint, exits };
}

describe('RenderPool', () => {
  it('renders the same bytes with two processes as with one picture at a time', async () => {
    const { paint } = startPool(400, 2);
    const requests = ['bar, months', 'line, 1,000', 'pie, sources', '16 × 16, bar', 'Greek'].map((name) =>
      requestOf(cases[name] ?? {}),
    );
    const alone = await Promise.all(requests.map((each) => paint(each)));

    const mixed = await Promise.all([...requests, ...requests].map((each) => paint(each)));

    expect(mixed).toEqual([...alone, ...alone]);
  });

  it.each<[string, number, [Request, string][], boolean[]]>([
    [
      'lets one caller fill a quarter of the queue',
      12,
      [...Array<[Request, string]>(5).fill([small, 'alice']), [small, 'bob']],
      [true, true, true, false, false, true],
    ],
    [
      'counts a large picture as several pictures of the usual size',
      40,
      Array<[Request, string]>(4).fill([large, 'alice']),
      [true, false, false, false],
    ],
    [
      'leaves room for another caller next to a picture that is larger than the whole queue',
      4,
      [
        [large, 'alice'],
        [small, 'bob'],
      ],
      [true, true],
    ],
  ])('%s', async (_promise, queueMax, pictures, outcomes) => {
    const { paint } = startPool(queueMax);
    await paint(small);

    const results = await Promise.allSettled(pictures.map(([request, user]) => paint(request, user)));

    expect(results.map(({ status }) => status === 'fulfilled')).toEqual(outcomes);
  });

  it('replaces a process that dies while idle', async () => {
    const { pool, paint, exits } = startPool();
    await paint(small);
    const [first = 0] = pool.pids;

    process.kill(first, 'SIGSEGV');

    await expect.poll(() => pool.pids).not.toContain(first);
    expect((await paint(small)).picture).toMatch(/^iVBOR/);
    expect(pool.pids).toHaveLength(1);
    expect(exits).toEqual(['signal SIGSEGV']);
  });
});

describe('RenderPool whose processes cannot start', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('survives a system that throws an error', async () => {
    const { paint } = startPool();
    const { execPath } = process;
    // `fork` throws the error for such a long name instead of emitting it.
    process.execPath = `/${'x'.repeat(5000)}`;
    const painting = paint(small);
    process.execPath = execPath;

    await expect(painting).rejects.toMatchObject({ code: 'RENDER_ERROR' });
    await expect(paint(small)).resolves.toHaveProperty('picture');
  });

  it('rejects every picture instead of queueing it, and recovers', async () => {
    const fault = new URL('../../support/faults/no-start.ts', import.meta.url);
    vi.stubEnv('NODE_OPTIONS', `--import ${fault.href}`);
    const { pool, paint, exits } = startPool(400, 2);

    const outcomes = await Promise.allSettled([1, 2, 3].map(() => paint(small)));

    const cause = { message: 'The render process has exited (exit code 3).' };
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'RENDER_ERROR', cause } });
    expect(pool.limit.inUse).toBe(0);
    expect(exits).toEqual(Array(3).fill('exit code 3'));

    vi.unstubAllEnvs();
    await expect.poll(() => paint(small).catch(() => 'not yet')).toHaveProperty('picture');
  });
});
