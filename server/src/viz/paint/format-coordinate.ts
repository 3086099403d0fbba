const formattedMax = 50_000;
const formatted = new Array<string | undefined>(formattedMax + 1);

/** A coordinate to the tenth of a pixel. */
export function formatCoordinate(value: number): string {
  return formatTenths(toTenths(value));
}

export function toTenths(value: number): number {
  return Math.round(value * 10);
}

/** A number of tenths in units. Each is formatted once and then looked up: most of the speed of SVG. */
export function formatTenths(tenths: number): string {
  const magnitude = Math.abs(tenths);
  if (magnitude > formattedMax) return String(tenths / 10);
  const text = (formatted[magnitude] ??= String(magnitude / 10));
  return tenths < 0 ? `-${text}` : text;
}
