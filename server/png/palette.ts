const colorsMax = 256;
const unmet: i16 = -1;
const shared: i16 = -2;

// Edges in eight steps, which up to 32 colours have, look as smooth as those that cairo draws, and take half the bytes.
const stepsMax = 8;
// As many as to leave out hardly a coarse colour between black and white.
const mixes = 64;
// The square of how far black is at most from one of its steps to white.
const nearEnough = 3 * (256 / stepsMax / 2) ** 2;

/** The colours of a picture, as 0xRRGGBB: those of its scene, their steps to white, and others as they are met. */
const colors = new StaticArray<u32>(colorsMax);
let count = 0;

/** The place among them of each coarse colour, five bits a channel, that was met. */
const places = new StaticArray<i16>(1 << 15);

/** Colours that were met of coarse ones which several colours of the scene share, by a hash, and their places. */
const metBits = 10;
const metColors = new StaticArray<u32>(1 << metBits);
const metPlaces = new StaticArray<u8>(1 << metBits);

export function startPalette(): void {
  count = 0;
  places.fill(unmet);
  metColors.fill(u32.MAX_VALUE);
}

/** Adds a colour that is kept as it is. White, on which all is drawn, comes first. */
export function addColor(color: u32): void {
  const slot = slotOf(color);
  places[slot] = places[slot] === unmet ? <i16>count : shared;
  colors[count++] = color;
}

/** Adds the steps from each colour to white. What is mixed of the two finds its step at once, if they lie close together. */
export function addSteps(): void {
  const exact = count;
  const steps = min(stepsMax, colorsMax / exact);
  for (let place = 1; place < exact; place++) {
    const first = count;
    for (let step = 1; step < steps; step++) colors[count++] = mixedWithWhite(colors[place], step, steps);
    if (steps === stepsMax) nameMixes(place, first);
  }
}

function nameMixes(place: i32, first: i32): void {
  const color = colors[place];
  for (let mix = 0; mix < mixes; mix++) {
    const slot = slotOf(mixedWithWhite(color, mix, mixes));
    if (places[slot] !== unmet) continue;
    const step = (mix + mixes / stepsMax / 2) / (mixes / stepsMax);
    places[slot] = <i16>(step === 0 ? place : step === stepsMax ? 0 : first + step - 1);
  }
}

function mixedWithWhite(color: u32, part: i32, parts: i32): u32 {
  const red = towardsWhite(color >> 16, part, parts);
  const green = towardsWhite((color >> 8) & 255, part, parts);
  return (red << 16) | (green << 8) | towardsWhite(color & 255, part, parts);
}

function towardsWhite(channel: u32, part: u32, parts: u32): u32 {
  return channel + ((255 - channel) * part + parts / 2) / parts;
}

/** The place of a colour. Those that are not of the scene are found on the edges of shapes and letters only. */
export function placeOf(pixel: u32): i32 {
  const slot = slotOf(pixel);
  const place = unchecked(places[slot]);
  if (place >= 0) return place;
  if (place === shared) return placeOfShared(pixel & 0xffffff);
  const found = nearestPlace(pixel & 0xffffff);
  places[slot] = <i16>found;
  return found;
}

/** The place of a colour among those that have a coarse colour in common. Many are remembered. */
function placeOfShared(color: u32): i32 {
  const slot = (color * 0x9e3779b1) >> (32 - metBits);
  if (metColors[slot] !== color) {
    metColors[slot] = color;
    metPlaces[slot] = <u8>nearestPlace(color);
  }
  return metPlaces[slot];
}

function slotOf(color: u32): u32 {
  return ((color >> 9) & 0x7c00) | ((color >> 6) & 0x3e0) | ((color >> 3) & 0x1f);
}

/** The place of the nearest colour, or of this one where none is near and there is room. */
function nearestPlace(color: u32): i32 {
  let place = 0;
  let least = i32.MAX_VALUE;
  for (let i = 0; i < count; i++) {
    const distance = squaredDistance(colors[i], color);
    if (distance >= least) continue;
    place = i;
    least = distance;
  }
  if (least <= nearEnough || count === colorsMax) return place;
  colors[count] = color;
  return count++;
}

function squaredDistance(a: i32, b: i32): i32 {
  const red = (a >> 16) - (b >> 16);
  const green = ((a >> 8) & 255) - ((b >> 8) & 255);
  const blue = (a & 255) - (b & 255);
  return red * red + green * green + blue * blue;
}

export function colorCount(): i32 {
  return count;
}

export function colorAt(place: i32): u32 {
  return colors[place];
}
