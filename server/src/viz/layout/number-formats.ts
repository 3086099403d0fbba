/** How numbers are written, in a language and with the wishes of a request. */
export interface NumberFormats {
  /** A number that is not negative, with separators and this many decimals. */
  readonly digits: (size: number, decimals: number) => string;
  /** Short units, the largest first. */
  readonly units: readonly Unit[];
  /** Adds to the digits of a value its sign, and the currency or unit of the request. */
  readonly signed: (text: string, isNegative: boolean) => string;
  /** Adds a percent sign to digits. */
  readonly percent: (text: string, isNegative?: boolean) => string;
  /** The factor of values: 100 for percentages, otherwise 1. */
  readonly factor: 1 | 100;
  /** Short units are used also where they hide differences. */
  readonly isCompact: boolean;
  /** The decimals that the request asks for. */
  readonly decimals?: number | undefined;
  /** The decimals of an amount that is not whole: 2 for EUR. */
  readonly minorDigits?: number | undefined;
}

export interface Unit {
  readonly unit: number;
  /** Adds the unit to the digits of a number that is divided by it. */
  readonly write: (text: string) => string;
}

/** English numbers, which Intl would write several times as slowly. */
export const english: NumberFormats = {
  digits: (size, decimals) => {
    // Of more than 15 digits, the last would be those of the binary number.
    const exact = Math.min(decimals, Math.max(1, 14 - Math.floor(Math.log10(size))));
    let text = decimals === 0 && Number.isInteger(size) ? String(size) : size.toFixed(exact);
    text += '0'.repeat(decimals - exact);
    const whole = decimals === 0 ? text.length : text.length - decimals - 1;
    for (let at = whole - 3; at > 0; at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
    return text;
  },
  units: [
    { unit: 1e12, write: (text) => `${text}T` },
    { unit: 1e9, write: (text) => `${text}B` },
    { unit: 1e6, write: (text) => `${text}M` },
    { unit: 1e3, write: (text) => `${text}k` },
  ],
  // A hyphen instead of the minus sign, which the built-in PDF fonts lack.
  signed: (text, isNegative) => (isNegative ? `-${text}` : text),
  percent: (text, isNegative = false) => `${isNegative ? '-' : ''}${text}%`,
  factor: 1,
  isCompact: false,
};
