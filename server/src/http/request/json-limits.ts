import { Problem } from '../../errors.ts';

/** The limit of values for most bodies. A context of a run, which has at most 64 KiB, stays below it. */
export const bodyValuesMaxDefault = 50_000;

const depthMax = 64;

// The characters that enclose and separate JSON values (RFC 8259, section 2).
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Throws a Problem for JSON with more than 64 levels, or with more than `valuesMax` values in its objects and arrays.
 * This takes 2 ms for a mebibyte, whereas parsing and visiting its values takes 25 to 40 ms, and more for distinct
 * keys. The JSON may be invalid; the parser reports that.
 */
export function assertJsonLimits(json: Buffer, valuesMax: number): void {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isInString) {
      if (byte === backslash) i++;
      else if (byte === quote) isInString = false;
    } else if (byte === quote) isInString = true;
    else if (byte === comma) values++;
    else if (byte === openArray || byte === openObject) {
      values++;
      if (++depth > depthMax) throw tooDeep();
    } else if (byte === closeArray || byte === closeObject) depth--;
    if (values > valuesMax) throw tooManyValues(valuesMax);
  }
}

function tooDeep(): Problem {
  return new Problem('Bad Request', `The body is nested deeper than ${depthMax} levels. Flatten it.`);
}

function tooManyValues(max: number): Problem {
  return new Problem('Bad Request', `The body has more than ${max} values. Send fewer.`);
}
