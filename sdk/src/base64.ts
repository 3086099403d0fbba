import { InvalidResponseError } from './errors.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The six bits of each character by its code; 255 for characters outside the base64 alphabet. */
const sextets = new Uint8Array(256).fill(255);
for (let index = 0; index < alphabet.length; index += 1) sextets[alphabet.charCodeAt(index)] = index;

/** Decodes base64 (RFC 4648, section 4). A lookup table is fast on every platform; `atob` is slow on all of them. */
export function bytesFromBase64(text: string): Uint8Array<ArrayBuffer> {
  const length = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  let byteCount = 0;
  let bits = 0;
  let seen = 0;
  for (let index = 0; index < length; index += 1) {
    const sextet = sextets[text.charCodeAt(index)] ?? 255;
    seen |= sextet;
    bits = (bits << 6) | sextet;
    if (index % 4 > 0) bytes[byteCount++] = bits >> (6 - 2 * (index % 4));
  }
  if (seen > 63 || text.length % 4 !== 0) throw new InvalidResponseError('The chart is not valid base64.');
  return bytes;
}
