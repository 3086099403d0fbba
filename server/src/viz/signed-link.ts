import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ChartRequest } from '@worktable/charts/svg';
import type { Job } from './worker.ts';

/**
 * The last segment of an address: the compressed chart, its signature and its format. `expiresAt` is in seconds since
 * 1970.
 */
export function signLink({ format, request }: Job, expiresAt: number, key: string): string {
  const packed = deflateRawSync(JSON.stringify([expiresAt, request])).toString('base64url');
  return `${packed}.${signatureOf(packed, format, key)}.${format}`;
}

/** The chart of an address, and the signature, which identifies it; undefined if the key has not signed the address. */
export function openLink(
  link: string,
  key: string,
): { readonly job: Job; readonly expiresAt: number; readonly signature: string } | undefined {
  const [, packed = '', signature, format = ''] = /^([\w-]+)\.([\w-]{22})\.(\w+)$/.exec(link) ?? [];
  if (signature === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(packed, format, key))))
    return undefined;
  const json = inflateRawSync(Buffer.from(packed, 'base64url')).toString();
  // The casts are safe: the signature shows that `signLink` has packed this JSON, and has written this format.
  const [expiresAt, request] = JSON.parse(json) as [number, ChartRequest];
  return { job: { format: format as Job['format'], request }, expiresAt, signature };
}

/** The first 132 bits of the HMAC, as 22 characters. */
function signatureOf(packed: string, format: string, key: string): string {
  return createHmac('sha256', key).update(`${packed}.${format}`).digest('base64url').slice(0, 22);
}
