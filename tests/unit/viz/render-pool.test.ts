import { afterEach, describe, expect, it } from 'vitest';
import { overloadedBy, Problem } from '../../../server/src/errors.ts';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import type { Painted } from '../../../server/src/viz/paint/render.ts';
import { RenderPool, type RenderPoolOptions } from '../../../server/src/viz/render-pool.ts';
import { cases } from '../../gallery/cases.ts';
import { points, sceneOf } from './layout/shapes.ts';

const scene = sceneOf({ data: points(1, 2, 3) });
const large = sceneOf({ width: 4096, height: 4096, data: points(1, 2, 3) });
const open: RenderPool[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.close()));
});

describe('RenderPool', () => {
  it('renders PNG and PDF', async () => {
    const pool = start();

    expect(
      decoded(await pool.paint({ format: 'png', scene }, 'alice'))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(
      decoded(await pool.paint({ format: 'pdf', scene }, 'alice'))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('renders the same bytes with two processes as with one picture at a time', async () => {
    const pool = start({ workers: 2 });
    const scenes = ['bar, months', 'line, months', 'pie, sources', '16 × 16, bar', 'Greek'].map((name) =>
      sceneOf(cases[name] ?? {}),
    );
    const alone = await Promise.all(
      scenes.map((each) => pool.paint({ format: 'png', scene: each }, 'alice')),
    );

    const mixed = await Promise.all(
      [...scenes, ...scenes].map((each) => pool.paint({ format: 'png', scene: each }, 'alice')),
    );
    expect(mixed).toEqual([...alone, ...alone]);
  });

  it('rejects pictures that exceed the queue at once, with Retry-After', async () => {
    const pool = start({ waiting: queueOf(12) });
    await pool.paint({ format: 'png', scene }, 'alice');

    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => pool.paint({ format: 'png', scene }, 'alice')),
    );
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({ code: 'Overloaded', retryAfterS: 1 });
  });

  it('lets one caller fill a quarter of the queue', async () => {
    const pool = start({ waiting: queueOf(12) });
    await pool.paint({ format: 'png', scene }, 'alice');

    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 6 }, () => pool.paint({ format: 'png', scene }, 'alice')),
      pool.paint({ format: 'png', scene }, 'bob'),
    ]);

    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([
      ...[true, true, true, true],
      ...[false, false, true],
    ]);
  });

  it('reports that the queue is full before a picture is laid out', async () => {
    const pool = start({ waiting: queueOf(2) });
    await pool.paint({ format: 'png', scene }, 'alice');
    expect(pool.waiting.hasRoom('alice')).toBe(true);

    const painted = ['alice', 'alice', 'bob'].map((user) => pool.paint({ format: 'png', scene }, user));

    expect(pool.waiting.hasRoom('alice')).toBe(false);
    await Promise.all(painted);
  });

  it('counts a large picture as several pictures of the usual size', async () => {
    const pool = start({ waiting: queueOf(40) });
    await pool.paint({ format: 'png', scene }, 'alice');

    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => pool.paint({ format: 'png', scene: large }, 'alice')),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  });

  it('leaves room for another caller beside a picture that is larger than the whole queue', async () => {
    const pool = start({ waiting: queueOf(4) });
    await pool.paint({ format: 'png', scene }, 'alice');

    const painted = await Promise.all([
      pool.paint({ format: 'png', scene }, 'alice'),
      pool.paint({ format: 'png', scene: large }, 'alice'),
      pool.paint({ format: 'png', scene }, 'bob'),
    ]);

    expect(painted).toHaveLength(3);
  });

  it('loses only the picture that a killed process was painting', async () => {
    const exits: string[] = [];
    const pool = start({ onExit: (reason) => exits.push(reason) });
    await pool.paint({ format: 'png', scene }, 'alice');

    const dying = pool.paint({ format: 'png', scene: large }, 'alice');
    const waiting = pool.paint({ format: 'png', scene }, 'alice');
    process.kill(pool.pids[0] ?? 0, 'SIGKILL');

    await expect(dying).rejects.toMatchObject({ code: 'RENDER_ERROR' });
    expect(
      decoded(await waiting)
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(exits).toEqual(['signal SIGKILL']);
  });

  it('replaces a process that dies while idle', async () => {
    const pool = start();
    await pool.paint({ format: 'png', scene }, 'alice');
    const [first] = pool.pids;

    process.kill(first ?? 0, 'SIGSEGV');

    await expect.poll(() => pool.pids).not.toContain(first);
    await expect(pool.paint({ format: 'png', scene }, 'alice')).resolves.toMatchObject({
      base64: expect.stringMatching(/^iVBOR/) as unknown,
      missing: '',
    });
    expect(pool.pids).toHaveLength(1);
  });

  it('starts its processes with the first picture and ends them on close', async () => {
    const pool = start({ workers: 2 });
    const before = pool.pids.length;
    await pool.paint({ format: 'png', scene }, 'alice');
    const [pid] = pool.pids;
    await pool.close();

    expect(before).toBe(0);

    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });

  it('rejects with problems that callers may read', async () => {
    const pool = start({ waiting: queueOf(1) });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 4 }, () => pool.paint({ format: 'png', scene }, 'alice')),
    );

    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(reasons).toHaveLength(3);
    expect(reasons.every((reason) => reason instanceof Problem)).toBe(true);
  });
});

function start(options: Partial<RenderPoolOptions> = {}): RenderPool {
  const pool = new RenderPool({
    workers: 1,
    waiting: queueOf(400),
    onExit: () => undefined,
    onMissing: () => undefined,
    ...options,
  });
  open.push(pool);
  return pool;
}

function queueOf(pictures: number): FairLimit {
  return new FairLimit(pictures, overloadedBy('CHART_WORKERS'));
}

function decoded({ base64 }: Painted): Buffer {
  return Buffer.from(base64, 'base64');
}
