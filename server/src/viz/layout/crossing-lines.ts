/** Returns true if two lines with bends, each x, y, x, y, …, cross each other. */
export function doCross(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i + 3 < a.length; i += 2) {
    for (let j = 0; j + 3 < b.length; j += 2) {
      if (areApart(a, i, b, j) && areApart(b, j, a, i)) return true;
    }
  }
  return false;
}

/** Returns true if the ends of a segment lie on different sides of another one. */
function areApart(line: readonly number[], i: number, ends: readonly number[], j: number): boolean {
  const [x = 0, y = 0, endX = 0, endY = 0] = line.slice(i, i + 4);
  const turn = (at: number): number =>
    (endX - x) * ((ends[at + 1] ?? 0) - y) - (endY - y) * ((ends[at] ?? 0) - x);
  return turn(j) * turn(j + 2) < 0;
}
