import { addLiteral, addMatch } from './deflate';
import { lanes } from './pixels';

/** How far back a match may begin, and how long it may be (RFC 1951, section 3.2.5). */
export const farthest: u32 = 32_768;
const longest: u32 = 258;
const shortest: u32 = 3;

/** From this length on, a match is used without a lookup in the hash table. */
const plenty: u32 = 32;
/** The distance of a match takes at least ten bits, except in a run of equal bytes. */
const shortestFar: u32 = 6;
const priceOfFar: u32 = 3;

/** The last position of four bytes in the stream, by their hash. */
const hashBits = 12;
const seen = new StaticArray<u32>(1 << hashBits);
const never = u32.MAX_VALUE;

let bytesPerRow: u32 = 0;
/** The number of bytes of the stream before the bytes that are being compressed. */
let bytesBefore: u32 = 0;

export function startMatches(perRow: u32): void {
  bytesPerRow = perRow;
  bytesBefore = 0;
  seen.fill(never);
}

/**
 * Compresses bytes; the bytes compressed before precede them in memory. A chart repeats the previous byte, the row
 * above, and letters, so the candidates are these two distances and one position from the hash table.
 */
export function compress(start: usize, end: usize): void {
  for (let at = start; at < end;) {
    const behind = bytesBefore + <u32>(at - start);
    let distance: u32 = 1;
    let length: u32 = behind === 0 ? 0 : matchLength(at, 1, end);
    if (length < longest && behind >= bytesPerRow) {
      const ofRow = matchLength(at, bytesPerRow, end);
      if (isWorth(ofRow, length)) {
        length = ofRow;
        distance = bytesPerRow;
      }
    }
    const earlier = length < plenty ? distanceToSeen(at, behind, end) : 0;
    if (earlier > 0) {
      const ofEarlier = matchLength(at, earlier, end);
      if (isWorth(ofEarlier, length)) {
        length = ofEarlier;
        distance = earlier;
      }
    }
    at += length < shortest ? addLiteral(load<u8>(at)) : addMatch(length, distance);
  }
  bytesBefore += <u32>(end - start);
}

function isWorth(far: u32, near: u32): bool {
  return far >= shortestFar && far > near + priceOfFar;
}

/** The number of bytes that equal the bytes `distance` before them, up to the length of one match. */
function matchLength(at: usize, distance: u32, end: usize): u32 {
  const most = min(end, at + longest);
  for (let byte = at; byte < most; byte += lanes) {
    const others = i8x16.bitmask(v128.ne<u8>(v128.load(byte), v128.load(byte - distance)));
    if (others !== 0) return <u32>(min(most, byte + ctz(others)) - at);
  }
  return <u32>(most - at);
}

/** The distance to the last occurrence of the same four bytes in the hash table, or 0. */
function distanceToSeen(at: usize, behind: u32, end: usize): u32 {
  if (at + 4 > end) return 0;
  const slot = (load<u32>(at) * 0x9e3779b1) >> (32 - hashBits);
  const place = seen[slot];
  seen[slot] = behind;
  return place === never || behind - place > farthest ? 0 : behind - place;
}
