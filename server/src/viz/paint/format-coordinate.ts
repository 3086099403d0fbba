const formattedMax = 50_000;
const formatted = new Array<string | undefined>(formattedMax + 1);

/** A coordinate to the tenth of a pixel. Each is formatted once and then looked up: most of the speed of SVG. */
export function formatCoordinate(value: number): string {
  const tenths = Math.round(value * 10);
  if (tenths < 0 || tenths > formattedMax) return String(tenths / 10);
  return (formatted[tenths] ??= String(tenths / 10));
}
