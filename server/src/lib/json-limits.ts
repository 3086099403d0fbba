import { Problem } from '../contract/problem.ts';

/** How many levels and values JSON may have. */
export interface JsonLimits {
  readonly depthMax: number;
  readonly valuesMax: number;
}

/** The largest request body, after decompression. */
export const bodyBytesMax = 2 ** 20;

/** The limits of most bodies. A context of a run, which has at most 64 KiB, stays below them. */
export const bodyLimits: JsonLimits = { depthMax: 64, valuesMax: 50_000 };

/** Throws a Problem for JSON that should not be parsed. */
export function assertJsonLimits(json: Buffer, limits: JsonLimits): void {
  const reason = findExcess(json, limits);
  if (reason !== undefined) throw new Problem('Bad Request', `The body ${reason}.`);
}

// The characters that enclose and separate JSON values (RFC 8259, section 2).
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns why JSON should not be parsed: it has too many levels or values, or the key `__proto__`. Undefined if nothing
 * is wrong. This takes 2 ms for a mebibyte, whereas parsing and visiting its values takes 25 to 40 ms, and more for
 * distinct keys. The JSON may be invalid; the parser reports that.
 */
export function findExcess(json: Buffer, { depthMax, valuesMax }: JsonLimits): string | undefined {
  let depth = 0;
  let values = 0;
  // The position of the open quote.
  let start = -1;
  let isEscaped = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (start >= 0) {
      if (byte === backslash) {
        isEscaped = true;
        i++;
      } else if (byte === quote) {
        const isSuspect = isEscaped || i - start - 1 === forbidden.length;
        if (isSuspect && keyIn(json, start, i) === forbidden) return `has the key ${forbidden}. Leave it out`;
        start = -1;
      }
    } else if (byte === quote) {
      start = i;
      isEscaped = false;
    } else if (byte === comma) {
      values++;
    } else if (byte === openArray || byte === openObject) {
      values++;
      if (++depth > depthMax) return `is nested deeper than ${depthMax} levels. Flatten it`;
    } else if (byte === closeArray || byte === closeObject) depth--;
    if (values > valuesMax) return `has more than ${valuesMax} values. Send fewer`;
  }
  return undefined;
}

const forbidden = '__proto__';

/** The key between two quotes; empty if the text is a value or is not JSON. */
function keyIn(json: Buffer, start: number, end: number): string {
  let next = end + 1;
  while (next < json.length && (json[next] ?? 0) <= 0x20) next++;
  if (json[next] !== colon) return '';
  try {
    return String(JSON.parse(json.toString('utf8', start, end + 1)));
  } catch {
    return '';
  }
}
