import { Problem } from '../../errors.ts';

/** The number of values that most bodies may have. Even a context of a run, of 64 KiB, has fewer. */
export const bodyValuesMaxDefault = 50_000;

const depthMax = 64;

// The characters that enclose and separate JSON values (RFC 8259, section 2).
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Throws a Problem for JSON with more than 64 levels or more than `valuesMax` values in its objects and arrays.
 * Counting takes 2 ms for a mebibyte; parsing and visiting its values takes 25 to 40 ms, and more for distinct keys.
 * The JSON may be invalid, which the parser reports.
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
