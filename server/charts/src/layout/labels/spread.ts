/** Where the middle of a label should be, and the length of the label. */
interface Target {
  readonly at: number;
  readonly length: number;
}

/**
 * The positions of labels without overlaps, in the same order, and as near as possible to where they should be. (Least
 * squares, by the pool adjacent violators algorithm.) Undefined if there is no room for all labels.
 */
export function spread(targets: readonly Target[], from: number, to: number): readonly number[] | undefined {
  if (areApart(targets, from, to)) return targets.map(({ at }) => at);
  const offsets: number[] = [];
  let length = 0;
  for (const target of targets) {
    offsets.push(length + target.length / 2);
    length += target.length;
  }
  if (length > to - from + 1e-9) return undefined;
  const pools: { sum: number; count: number }[] = [];
  targets.forEach(({ at }, i) => {
    let pool = { sum: at - (offsets[i] ?? 0), count: 1 };
    for (let last = pools.at(-1); last !== undefined && mean(last) > mean(pool); last = pools.at(-1)) {
      pools.pop();
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
    }
    pools.push(pool);
  });
  const starts = pools.flatMap((pool) => {
    const start = Math.max(from, Math.min(to - length, mean(pool)));
    return Array<number>(pool.count).fill(start);
  });
  return starts.map((start, i) => start + (offsets[i] ?? 0));
}

/** Returns true if all labels can be where they should be, which is the usual case. */
function areApart(targets: readonly Target[], from: number, to: number): boolean {
  let free = from;
  for (const { at, length } of targets) {
    if (at - length / 2 < free) return false;
    free = at + length / 2;
  }
  return free <= to;
}

function mean({ sum, count }: { readonly sum: number; readonly count: number }): number {
  return sum / count;
}
