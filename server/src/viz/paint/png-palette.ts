/** The 256 colours of a picture, as 0xRRGGBB: those of its scene, their steps to white, and others as they are met. */
export interface Palette {
  readonly colors: number[];
  /** The place in it of each coarse colour, five bits a channel, that was met. */
  readonly places: Int16Array;
  /** The places of the colours of the scene, and of what else is met of the coarse colours that several of them share. */
  readonly exact: Map<number, number>;
}

const placesMax = 256;
// Leaves places for the edges of shapes and letters.
const exactMax = 160;
const unmet = -1;
const shared = -2;

// Edges in eight steps look as smooth as those that cairo draws, and take half the bytes.
const stepsMax = 8;
// How far black is at most from one of its steps to white.
const nearEnough = 3 * (256 / stepsMax / 2) ** 2;

/** Whether a palette can keep these colours as they are. */
export function fitsPalette(exact: readonly number[]): boolean {
  return exact.length <= exactMax;
}

/** A palette that keeps the colours of a scene as they are. White, on which all is drawn, comes first. */
export function paletteWith(exact: readonly number[]): Palette {
  const steps = Math.min(stepsMax, Math.floor(placesMax / exact.length));
  const places = new Int16Array(1 << 15).fill(unmet);
  for (const [place, color] of exact.entries())
    places[slotOf(color)] = places[slotOf(color)] === unmet ? place : shared;
  return {
    colors: [...exact, ...exact.slice(1).flatMap((color) => stepsToWhite(color, steps))],
    places,
    exact: new Map(exact.map((color, place) => [color, place])),
  };
}

/** The place of a colour. Those that are not of the scene are found on the edges of shapes and letters only. */
export function placeOf(palette: Palette, color: number): number {
  const slot = slotOf(color);
  const place = palette.places[slot] ?? unmet;
  if (place === shared) return placeOfShared(palette, color);
  return place === unmet ? (palette.places[slot] = newPlace(palette.colors, color)) : place;
}

function placeOfShared({ exact, colors }: Palette, color: number): number {
  const place = exact.get(color) ?? newPlace(colors, color);
  exact.set(color, place);
  return place;
}

function slotOf(color: number): number {
  return ((color >> 9) & 0x7c00) | ((color >> 6) & 0x3e0) | ((color >> 3) & 0x1f);
}

/** The place of the nearest colour, or of this one where none is near and there is room. */
function newPlace(colors: number[], color: number): number {
  let nearest = 0;
  let least = Infinity;
  for (let place = 0; place < colors.length; place++) {
    const distance = squaredDistance(colors[place] ?? 0, color);
    if (distance >= least) continue;
    nearest = place;
    least = distance;
  }
  return least > nearEnough && colors.length < placesMax ? colors.push(color) - 1 : nearest;
}

function squaredDistance(a: number, b: number): number {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
}

function stepsToWhite(color: number, steps: number): number[] {
  const step = (channel: number, i: number): number => Math.round(channel + ((255 - channel) * i) / steps);
  return Array.from({ length: steps - 1 }, (_, i) => {
    const [red, green, blue] = [color >> 16, (color >> 8) & 255, color & 255];
    return (step(red, i + 1) << 16) | (step(green, i + 1) << 8) | step(blue, i + 1);
  });
}
