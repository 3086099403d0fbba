import { randomBytes } from 'node:crypto';

export const keyHeader = 'Idempotency-Key: ';
export const keyLength = 24;

// A random prefix, because the database still has the keys of earlier processes.
const prefix = randomBytes(6).toString('hex');
let used = 0;

/** The bytes of a request. If it has an idempotency key, the key is replaced by one that no request had before. */
export function withNextKey(request: Buffer): Buffer {
  const header = request.indexOf(keyHeader);
  if (header < 0) return request;
  const bytes = Buffer.from(request);
  bytes.write(
    `${prefix}${String(used++).padStart(keyLength - prefix.length, '0')}`,
    header + keyHeader.length,
    'latin1',
  );
  return bytes;
}
