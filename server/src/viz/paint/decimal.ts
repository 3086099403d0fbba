const written: (string | undefined)[] = [];

/** A coordinate to the tenth of a pixel. Each is written once and then looked up, which is most of the speed of SVG. */
export function decimal(value: number): string {
  const tenths = Math.round(value * 10);
  if (tenths < 0 || tenths > 50_000) return String(tenths / 10);
  return (written[tenths] ??= String(tenths / 10));
}
