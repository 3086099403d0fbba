/** The most symbols that an alphabet of deflate has (RFC 1951, section 3.2.7). */
const symbolsMax = 286;
const lengthMax = 15;

/** The symbols that occur, the rarest first. */
const symbols = new StaticArray<u16>(symbolsMax);
/** For each of these symbols, and then for each pair: how often it occurs, and the pair that it was joined into. */
const weights = new StaticArray<u32>(2 * symbolsMax);
const parents = new StaticArray<u16>(2 * symbolsMax);
const depths = new StaticArray<u8>(2 * symbolsMax);
const nextCodes = new StaticArray<u32>(lengthMax + 2);

/** Writes the length of each symbol's code into `lengths`: 0 for those that do not occur, else 1 to `limit`. */
export function findLengths(counts: StaticArray<u32>, lengths: StaticArray<u8>, limit: u8): void {
  lengths.fill(0);
  const occurring = sortSymbols(counts);
  // Halved counts differ less, which makes the codes of the rare symbols shorter.
  while (joinRarest(occurring) > limit) for (let i = 0; i < occurring; i++) weights[i] = (weights[i] + 1) / 2;
  for (let i = 0; i < occurring; i++) lengths[symbols[i]] = depths[i];
}

function sortSymbols(counts: StaticArray<u32>): i32 {
  let occurring = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    const weight = counts[symbol];
    if (weight === 0) continue;
    let i = occurring++;
    for (; i > 0 && weights[i - 1] > weight; i--) {
      weights[i] = weights[i - 1];
      symbols[i] = symbols[i - 1];
    }
    weights[i] = weight;
    symbols[i] = <u16>symbol;
  }
  return occurring;
}

/** Joins the two rarest symbols or pairs until one pair is left. Returns the depth of its deepest symbol. */
function joinRarest(occurring: i32): u8 {
  const last = 2 * occurring - 2;
  let symbol = 0;
  let pair = occurring;
  for (let next = occurring; next <= last; next++) {
    weights[next] = 0;
    for (let child = 0; child < 2; child++) {
      const isSymbol = symbol < occurring && (pair === next || weights[symbol] <= weights[pair]);
      const rarest = isSymbol ? symbol++ : pair++;
      weights[next] += weights[rarest];
      parents[rarest] = <u16>next;
    }
  }
  depths[last] = 0;
  for (let i = last - 1; i >= 0; i--) depths[i] = depths[parents[i]] + 1;
  return depths[0];
}

/** Writes the code of each symbol into `codes`, its first bit lowest, as deflate sends it (RFC 1951, section 3.2.2). */
export function findCodes(lengths: StaticArray<u8>, codes: StaticArray<u16>): void {
  nextCodes.fill(0);
  for (let symbol = 0; symbol < lengths.length; symbol++)
    if (lengths[symbol] > 0) nextCodes[lengths[symbol] + 1]++;
  for (let length = 2; length <= lengthMax; length++)
    nextCodes[length] = (nextCodes[length] + nextCodes[length - 1]) << 1;
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length > 0) codes[symbol] = <u16>reversed(nextCodes[length]++, length);
  }
}

function reversed(code: u32, length: i32): u32 {
  let result = 0;
  for (let bit = 0; bit < length; bit++) result = (result << 1) | ((code >> bit) & 1);
  return result;
}
