const formattedMax = 50_000;
const formatted = new Array<string | undefined>(2 * formattedMax + 1);

/** A coordinate to the tenth of a pixel. */
export function formatCoordinate(value: number): string {
  return formatTenths(toTenths(value));
}

export function toTenths(value: number): number {
  return Math.round(value * 10);
}

/** A number of tenths in units. Each is formatted once and then looked up: most of the speed of SVG. */
export function formatTenths(tenths: number): string {
  if (tenths > formattedMax || tenths < -formattedMax) return String(tenths / 10);
  return (formatted[tenths + formattedMax] ??= String(tenths / 10));
}
