import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/** A UUIDv7 (RFC 9562). Ids of one process sort by creation time, even within a millisecond. */
export function newId(): string {
  return uuidv7();
}

/**
 * The ETag of a new version of a task. Random instead of a number: a database that is restored from a backup would give
 * the same numbers to other versions. It is the end of a UUID, whose random bits Node creates in advance.
 */
export function newETag(): string {
  return `"${randomUUID().slice(19)}"`;
}

/**
 * Returns true if a list of entity tags contains this one. Weak tags match too, although RFC 9110, section 13.1.1,
 * requires strong ones for If-Match: proxies that compress make tags weak, and no two versions have the same tag.
 */
export function matchesETag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/** Returns true if a text can be the id of a row. Other texts need no query. */
export function isId(text: string): boolean {
  return pattern.test(text);
}

const pattern = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
