const colorsMax = 256;
const unmet: i16 = -1;
const shared: i16 = -2;

// Edges in eight steps look as smooth as those of cairo and take half the bytes. Up to 32 colours have eight steps.
const stepsMax = 8;
// Enough to reach nearly every coarse colour between black and white.
const mixes = 64;
// The square of the largest distance from a mix of black and white to the nearest step.
const nearEnough = 3 * (256 / stepsMax / 2) ** 2;

/** The palette, as 0xRRGGBB: the colours of the scene, their steps to the background, and other colours as they occur. */
const colors = new StaticArray<u32>(colorsMax);
let count = 0;

/** The palette index of each coarse colour, five bits a channel, that has occurred. */
const places = new StaticArray<i16>(1 << 15);

/** A hash table of colours whose coarse colour several colours of the scene share, and their indexes. */
const metBits = 10;
const metColors = new StaticArray<u32>(1 << metBits);
const metPlaces = new StaticArray<u8>(1 << metBits);

export function startPalette(): void {
  count = 0;
  places.fill(unmet);
  metColors.fill(u32.MAX_VALUE);
}

/** Adds an exact colour. The background must be the first. */
export function addColor(color: u32): void {
  const slot = slotOf(color);
  places[slot] = places[slot] === unmet ? <i16>count : shared;
  colors[count++] = color;
}

/** Adds the steps from each colour to the background, and indexes the mixes of both if there are eight steps. */
export function addSteps(): void {
  const exact = count;
  const steps = min(stepsMax, colorsMax / exact);
  for (let place = 1; place < exact; place++) {
    const first = count;
    for (let step = 1; step < steps; step++)
      colors[count++] = mixedWithBackground(colors[place], step, steps);
    if (steps === stepsMax) nameMixes(place, first);
  }
}

function nameMixes(place: i32, first: i32): void {
  const color = colors[place];
  for (let mix = 0; mix < mixes; mix++) {
    const slot = slotOf(mixedWithBackground(color, mix, mixes));
    if (places[slot] !== unmet) continue;
    const step = (mix + mixes / stepsMax / 2) / (mixes / stepsMax);
    places[slot] = <i16>(step === 0 ? place : step === stepsMax ? 0 : first + step - 1);
  }
}

function mixedWithBackground(color: u32, part: i32, parts: i32): u32 {
  const background = colors[0];
  const red = mixed(color >> 16, background >> 16, part, parts);
  const green = mixed((color >> 8) & 255, (background >> 8) & 255, part, parts);
  return (red << 16) | (green << 8) | mixed(color & 255, background & 255, part, parts);
}

function mixed(channel: u32, background: u32, part: u32, parts: u32): u32 {
  return (channel * (parts - part) + background * part + parts / 2) / parts;
}

/** The index of a colour. Colours that are not of the scene occur only on the edges of shapes and letters. */
export function placeOf(pixel: u32): i32 {
  const slot = slotOf(pixel);
  const place = unchecked(places[slot]);
  if (place >= 0) return place;
  if (place === shared) return placeOfShared(pixel & 0xffffff);
  const found = nearestPlace(pixel & 0xffffff);
  places[slot] = <i16>found;
  return found;
}

/** The index of a colour whose coarse colour is shared; recent ones are cached. */
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

/** The index of the nearest colour, or of this colour if none is near and the palette has room. */
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
