const writtenMax = 50_000;
const written = new Array<string | undefined>(writtenMax + 1);

/** A coordinate to the tenth of a pixel. Each is written once and then looked up, which is most of the speed of SVG. */
export function decimal(value: number): string {
  const tenths = Math.round(value * 10);
  if (tenths < 0 || tenths > writtenMax) return String(tenths / 10);
  return (written[tenths] ??= String(tenths / 10));
}
