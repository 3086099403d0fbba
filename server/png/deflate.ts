/** A zlib stream (RFC 1950) of bytes and of matches with earlier ones, in blocks with dynamic Huffman codes (RFC 1951). */
import { findCodes, findLengths } from './huffman';

const tokensMax = 1 << 15;
// The length code and the distance code of a match, each with its extra bits, take at most 15 + 5 + 15 + 13 bits.
const blockBytesMax = tokensMax * 6 + 1024;

/** Bytes, and matches: their length from bit 16 on, and their distance in the bits below. */
const tokens = new StaticArray<u32>(tokensMax);
let tokenCount = 0;

const endOfBlock = 256;
const counts = new StaticArray<u32>(286);
const lengths = new StaticArray<u8>(286);
const codes = new StaticArray<u16>(286);
const distanceCounts = new StaticArray<u32>(30);
const distanceLengths = new StaticArray<u8>(30);
const distanceCodes = new StaticArray<u16>(30);

// The alphabet of code lengths, in the order in which the lengths of its own codes are sent (RFC 1951, section 3.2.7).
const lengthOrder: StaticArray<u8> = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const lengthCounts = new StaticArray<u32>(19);
const lengthLengths = new StaticArray<u8>(19);
const lengthCodes = new StaticArray<u16>(19);

/** The stream so far, and the bits that are not yet a whole byte. */
let capacity = blockBytesMax;
let bytes: usize = heap.alloc(capacity);
let end = 0;
let bits: u64 = 0;
let bitCount: u64 = 0;

export function startStream(): void {
  tokenCount = end = 0;
  bits = bitCount = 0;
  // 0x7801: deflate with a window of 32 kB, at the fastest level. The checksum makes it a multiple of 31.
  put(0x0178, 16);
}

/** Adds a byte as it is. Returns how many bytes it added. */
export function addLiteral(byte: u8): u32 {
  addToken(byte);
  return 1;
}

/** Adds 3 to 258 bytes that are the same as those 1 to 32,768 before them. Returns how many bytes it added. */
export function addMatch(length: u32, distance: u32): u32 {
  addToken((length << 16) | distance);
  return length;
}

function addToken(token: u32): void {
  if (tokenCount === tokensMax) writeBlock(false);
  unchecked((tokens[tokenCount++] = token));
}

/** Ends the stream with the checksum of its bytes, Adler-32. Returns how many bytes it has, from `output` on. */
export function endStream(checksum: u32): i32 {
  writeBlock(true);
  if (bitCount > 0) put(0, 8 - bitCount);
  put(bswap(checksum), 32);
  return end;
}

export function output(): usize {
  return bytes;
}

function writeBlock(isLast: bool): void {
  if (capacity - end < blockBytesMax) {
    bytes = heap.realloc(bytes, capacity * 2);
    capacity *= 2;
  }
  countSymbols();
  findLengths(counts, lengths, 15);
  findCodes(lengths, codes);
  findLengths(distanceCounts, distanceLengths, 15);
  findCodes(distanceLengths, distanceCodes);
  put(isLast ? 1 : 0, 1);
  putCodes();
  for (let i = 0; i < tokenCount; i++) putToken(unchecked(tokens[i]));
  put(codes[endOfBlock], lengths[endOfBlock]);
  tokenCount = 0;
}

function countSymbols(): void {
  counts.fill(0);
  counts[endOfBlock] = 1;
  distanceCounts.fill(0);
  // A code needs two symbols, whether they occur or not.
  distanceCounts[0] = distanceCounts[1] = 1;
  for (let i = 0; i < tokenCount; i++) {
    const token = unchecked(tokens[i]);
    unchecked(counts[token < 256 ? token : lengthSymbol(token >> 16)]++);
    if (token >= 256) unchecked(distanceCounts[distanceSymbol(token & 0xffff)]++);
  }
}

/** RFC 1951, section 3.2.5: the leading one and the two bits below it make the symbol; the others are extra bits. */
function lengthSymbol(length: u32): u32 {
  if (length === 258) return 285;
  const extra = lengthExtra(length);
  return 257 + extra * 4 + ((length - 3) >> extra);
}

function lengthExtra(length: u32): u32 {
  return length < 11 || length === 258 ? 0 : 29 - clz(length - 3);
}

/** As for lengths, with one bit below the leading one. */
function distanceSymbol(distance: u32): u32 {
  const extra = distanceExtra(distance);
  return extra * 2 + ((distance - 1) >> extra);
}

function distanceExtra(distance: u32): u32 {
  return distance < 5 ? 0 : 30 - clz(distance - 1);
}

function putToken(token: u32): void {
  if (token < 256) {
    put(unchecked(codes[token]), unchecked(lengths[token]));
    return;
  }
  const length = token >> 16;
  putSymbol(codes, lengths, lengthSymbol(length), length - 3, lengthExtra(length));
  const distance = token & 0xffff;
  putSymbol(distanceCodes, distanceLengths, distanceSymbol(distance), distance - 1, distanceExtra(distance));
}

/** Writes a symbol and the lowest bits of the number that it stands for. */
function putSymbol(
  itsCodes: StaticArray<u16>,
  itsLengths: StaticArray<u8>,
  symbol: u32,
  value: u32,
  extra: u32,
): void {
  put(unchecked(itsCodes[symbol]), unchecked(itsLengths[symbol]));
  put(value & ((1 << extra) - 1), extra);
}

/** Writes the lengths of the codes, which have Huffman codes themselves. */
function putCodes(): void {
  put(2, 2);
  put(counts.length - 257, 5);
  put(distanceCounts.length - 1, 5);
  put(lengthOrder.length - 4, 4);
  lengthCounts.fill(0);
  for (let i = 0; i < lengths.length; i++) lengthCounts[lengths[i]]++;
  for (let i = 0; i < distanceLengths.length; i++) lengthCounts[distanceLengths[i]]++;
  findLengths(lengthCounts, lengthLengths, 7);
  findCodes(lengthLengths, lengthCodes);
  for (let i = 0; i < lengthOrder.length; i++) put(lengthLengths[lengthOrder[i]], 3);
  putLengths(lengths);
  putLengths(distanceLengths);
}

function putLengths(some: StaticArray<u8>): void {
  for (let i = 0; i < some.length; i++) put(lengthCodes[some[i]], lengthLengths[some[i]]);
}

/** Writes bits, the lowest first, and keeps those that are not yet a whole byte. */
function put(value: u64, size: u64): void {
  bits |= value << bitCount;
  bitCount += size;
  store<u64>(bytes + end, bits);
  end += <i32>(bitCount >> 3);
  bits >>= bitCount & ~7;
  bitCount &= 7;
}
