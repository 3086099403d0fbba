/**
 * The positions of labels of these lengths without overlaps, in the same order, and as near as possible to `at`. (Least
 * squares, by the pool adjacent violators algorithm.) Undefined if there is no room for all labels.
 */
export function spread(
  targets: readonly { readonly at: number; readonly length: number }[],
  from: number,
  to: number,
): readonly number[] | undefined {
  const offsets: number[] = [];
  let length = 0;
  for (const target of targets) {
    offsets.push(length + target.length / 2);
    length += target.length;
  }
  if (length > to - from + 1e-9) return undefined;
  const pools: { mean: number; count: number }[] = [];
  targets.forEach(({ at }, i) => {
    let [mean, count] = [at - (offsets[i] ?? 0), 1];
    for (let last = pools.at(-1); last !== undefined && last.mean > mean; last = pools.at(-1)) {
      pools.pop();
      mean = (mean * count + last.mean * last.count) / (count + last.count);
      count += last.count;
    }
    pools.push({ mean, count });
  });
  const starts = pools.flatMap(({ mean, count }) => {
    const start = Math.max(from, Math.min(to - length, mean));
    return Array<number>(count).fill(start);
  });
  return starts.map((start, i) => start + (offsets[i] ?? 0));
}
