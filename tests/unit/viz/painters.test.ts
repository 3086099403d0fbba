import { afterEach, describe, expect, it } from 'vitest';
import { Problem } from '../../../server/src/errors.ts';
import { Painters, type PainterOptions } from '../../../server/src/viz/painters.ts';
import { cases } from '../../gallery/cases.ts';
import { points, sceneOf } from './layout/shapes.ts';

const scene = sceneOf({ data: points(1, 2, 3) });
const large = sceneOf({ width: 4096, height: 4096, data: points(1, 2, 3) });
const open: Painters[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((painters) => painters.close()));
});

describe('Painters', () => {
  it('paint PNG and PDF', async () => {
    const painters = start();

    expect(
      decoded(await painters.paint('png', scene))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(
      decoded(await painters.paint('pdf', scene))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('paint each picture as one painter alone would', async () => {
    const painters = start({ painters: 2 });
    const scenes = ['bar, months', 'line, months', 'pie, sources', '16 × 16, bar', 'Greek'].map((name) =>
      sceneOf(cases[name] ?? {}),
    );
    const alone = await Promise.all(scenes.map((each) => painters.paint('png', each)));

    const mixed = await Promise.all([...scenes, ...scenes].map((each) => painters.paint('png', each)));
    expect(mixed).toEqual([...alone, ...alone]);
  });

  it('refuse at once what the queue has no room for, and say when to come again', async () => {
    const painters = start({ queueMax: 3 });
    await painters.paint('png', scene);

    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => painters.paint('png', scene)));
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(6);
    expect(refused[0]).toMatchObject({ code: 'Overloaded', retryAfterS: 1 });
  });

  it('say that the queue is full before a picture is laid out', async () => {
    const painters = start({ queueMax: 2 });
    await painters.paint('png', scene);
    painters.refuseWhenFull();

    const painted = [1, 2, 3].map(() => painters.paint('png', scene));

    expect(() => {
      painters.refuseWhenFull();
    }).toThrow(expect.objectContaining({ code: 'Overloaded', retryAfterS: 1 }));
    await Promise.all(painted);
  });

  it('count large pictures as the work that they are', async () => {
    const painters = start({ queueMax: 40 });
    await painters.paint('png', scene);

    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => painters.paint('png', large)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  });

  it('lose with a dead process only the picture that it was painting', async () => {
    const deaths: string[] = [];
    const painters = start({ onDeath: (reason) => deaths.push(reason) });
    await painters.paint('png', scene);

    const dying = painters.paint('png', large);
    const waiting = painters.paint('png', scene);
    process.kill(painters.pids[0] ?? 0, 'SIGKILL');

    await expect(dying).rejects.toMatchObject({ code: 'RENDER_ERROR' });
    expect(
      decoded(await waiting)
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(deaths).toEqual(['signal SIGKILL']);
  });

  it('replace a process that dies while idle', async () => {
    const painters = start();
    await painters.paint('png', scene);
    const [first] = painters.pids;

    process.kill(first ?? 0, 'SIGSEGV');

    await expect.poll(() => painters.pids).not.toContain(first);
    await expect(painters.paint('png', scene)).resolves.toMatch(/^iVBOR/);
    expect(painters.pids).toHaveLength(1);
  });

  it('tell once which letters no font has', async () => {
    const told: string[] = [];
    const painters = start({ onMissing: (letters) => told.push(letters) });
    const rare = sceneOf({ title: 'a\u{10fff0}b', data: points(1) });

    await painters.paint('png', rare);
    await painters.paint('pdf', rare);
    expect(told).toEqual(['\u{10fff0}']);
  });

  it('start with the first picture and end with close', async () => {
    const painters = start({ painters: 2 });
    const before = painters.pids.length;
    await painters.paint('png', scene);
    const [pid] = painters.pids;
    await painters.close();

    expect(before).toBe(0);

    expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH');
  });

  it('fail with problems that callers may read', async () => {
    const painters = start({ queueMax: 1 });
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => painters.paint('png', scene)));

    const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(reasons).toHaveLength(3);
    expect(reasons.every((reason) => reason instanceof Problem)).toBe(true);
  });
});

function start(options: Partial<PainterOptions> = {}): Painters {
  const painters = new Painters({
    painters: 1,
    queueMax: 100,
    onDeath: () => undefined,
    onMissing: () => undefined,
    ...options,
  });
  open.push(painters);
  return painters;
}

function decoded(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}
