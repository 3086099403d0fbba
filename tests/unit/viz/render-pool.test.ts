import { describe, expect, it, onTestFinished } from 'vitest';
import { Problem } from '../../../server/src/contract/problem.ts';
import { FairLimit } from '../../../server/src/limits/fair-limit.ts';
import type { Job, Rendered } from '../../../server/src/viz/render.ts';
import { RenderPool, type RenderPoolOptions } from '../../../server/src/viz/render-pool.ts';
import { cases, requestOf } from '../../../server/charts/gallery/cases.ts';
import { points } from '../../../server/charts/tests/layout/shapes.ts';

type Request = Job['request'];

const small = requestOf({ data: points(1, 2, 3) });
const large = requestOf({ width: 2000, height: 2000, data: points(1, 2, 3) });

interface Pool {
  readonly pool: RenderPool;
  readonly paint: (request: Request, user?: string) => Promise<Rendered>;
  /** The characters that were reported as missing, one entry for each report. */
  readonly missing: readonly string[];
  /** Why processes ended. */
  readonly exits: readonly string[];
}

/** Starts a pool whose queue has room for this many pictures of the usual size. */
function startPool(queueMax = 400, options: Partial<RenderPoolOptions> = {}): Pool {
  const [missing, exits]: string[][] = [[], []];
  const pool = new RenderPool({
    workers: 1,
    waiting: new FairLimit(queueMax, 'chart_queue_length'),
    onExit: (reason) => exits?.push(reason),
    onMissing: (letters) => missing?.push(letters),
    ...options,
  });
  onTestFinished(() => pool.close());
  const paint = (request: Request, user = 'alice'): Promise<Rendered> =>
    pool.paint({ format: 'png', request }, user);
  return { pool, paint, missing: missing ?? [], exits: exits ?? [] };
}

const statusesOf = async (painting: Promise<unknown>[]): Promise<boolean[]> =>
  (await Promise.allSettled(painting)).map(({ status }) => status === 'fulfilled');

describe('RenderPool', () => {
  it('renders PNG and PDF', async () => {
    const { pool } = startPool();
    const startOf = async (format: 'png' | 'pdf'): Promise<string> => {
      const { picture } = await pool.paint({ format, request: small }, 'alice');
      return Buffer.from(picture, 'base64').subarray(0, 5).toString('latin1');
    };

    expect([await startOf('png'), await startOf('pdf')]).toEqual(['\x89PNG\r', '%PDF-']);
  });

  it('renders the same bytes with two processes as with one picture at a time', async () => {
    const { paint } = startPool(400, { workers: 2 });
    const requests = ['bar, months', 'line, months', 'pie, sources', '16 × 16, bar', 'Greek'].map((name) =>
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
      [...Array<[Request, string]>(6).fill([small, 'alice']), [small, 'bob']],
      [true, true, true, true, false, false, true],
    ],
    [
      'counts a large picture as several pictures of the usual size',
      40,
      Array<[Request, string]>(4).fill([large, 'alice']),
      [true, true, false, false],
    ],
    [
      'leaves room for another caller beside a picture that is larger than the whole queue',
      4,
      [
        [small, 'alice'],
        [large, 'alice'],
        [small, 'bob'],
      ],
      [true, true, true],
    ],
  ])('%s', async (_promise, queueMax, pictures, outcomes) => {
    const { paint } = startPool(queueMax);
    await paint(small);

    expect(await statusesOf(pictures.map(([request, user]) => paint(request, user)))).toEqual(outcomes);
  });

  it('rejects pictures that exceed the queue at once, with a problem that has Retry-After', async () => {
    const { paint } = startPool(12);
    await paint(small);

    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => paint(small)));

    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(6);
    for (const each of refused) expect(each).toBeInstanceOf(Problem);
    expect(refused[0]).toMatchObject({ code: 'Overloaded', retryAfterS: 1 });
  });

  it('reports that the queue is full before a picture is laid out', async () => {
    const { pool, paint } = startPool(2);
    await paint(small);
    expect(pool.waiting.hasRoom('alice')).toBe(true);

    const painted = ['alice', 'alice', 'bob'].map((user) => paint(small, user));

    expect(pool.waiting.hasRoom('alice')).toBe(false);
    await Promise.all(painted);
  });

  it('loses only the picture that a killed process was painting', async () => {
    const { pool, paint, exits } = startPool();
    await paint(small);

    const dying = paint(large);
    const waiting = paint(small);
    process.kill(pool.pids[0] ?? 0, 'SIGKILL');

    await expect(dying).rejects.toMatchObject({ code: 'RENDER_ERROR' });
    expect((await waiting).picture).toMatch(/^iVBOR/);
    expect(exits).toEqual(['signal SIGKILL']);
  });

  it('replaces a process that dies while idle', async () => {
    const { pool, paint } = startPool();
    await paint(small);
    const [first = 0] = pool.pids;

    process.kill(first, 'SIGSEGV');

    await expect.poll(() => pool.pids).not.toContain(first);
    expect((await paint(small)).picture).toMatch(/^iVBOR/);
    expect(pool.pids).toHaveLength(1);
  });

  it('starts its processes with the first picture and ends them on close', async () => {
    const { pool, paint } = startPool(400, { workers: 2 });
    const before = pool.pids.length;
    await paint(small);
    const [pid = 0] = pool.pids;
    await pool.close();

    expect(before).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('a character that no font has', () => {
  it('is reported once', async () => {
    const { pool, missing } = startPool();
    const request = requestOf({ title: 'a\u{10fff0}b', data: points(1) });

    for (const format of ['png', 'pdf'] as const)
      expect((await pool.paint({ format, request }, 'alice')).missing).toBe('\u{10fff0}');

    expect(missing).toEqual(['\u{10fff0}']);
  });

  it('is not reported any more after about a thousand others', async () => {
    const { paint, missing } = startPool();
    for (let first = 0xf0000; first < 0xf0000 + 2000; first += 20) {
      const title = String.fromCodePoint(...Array.from({ length: 20 }, (_, i) => first + i));
      await paint(requestOf({ title, width: 200, height: 120, data: points(1) }));
    }

    const letters = missing.flatMap((report) => Array.from(report));
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters.length).toBeGreaterThan(500);
    expect(letters.length).toBeLessThan(1300);
  });
});
