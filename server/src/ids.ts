import { randomBytes } from 'node:crypto';
import { uuidv7 } from 'uuidv7';

/** A UUIDv7 (RFC 9562). The ids of a process sort by the time of their creation, also within a millisecond. */
export function newId(): string {
  return uuidv7();
}

/**
 * The ETag of a new version of a task. It is random rather than a number, because a database that was set back to a backup
 * would use its numbers again, for other texts.
 */
export function newETag(): string {
  return `"${randomBytes(9).toString('base64url')}"`;
}

/** Returns true if a text can be the id of a row. A text that cannot be an id needs no query. */
export function isId(text: string): boolean {
  return pattern.test(text);
}

const pattern = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
