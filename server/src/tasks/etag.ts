/** The ETag of a version of a task. It is strong, because each change increments the version. */
export function etagOfVersion(version: number): string {
  return `"${version}"`;
}

/**
 * The versions that an If-Match header accepts (RFC 9110, section 13.1.1); undefined if it accepts any. Weak tags and
 * tags of other servers match no version.
 */
export function versionsOfIfMatch(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const tags = header.split(',').map((tag) => /^"([1-9]\d{0,8})"$/.exec(tag.trim())?.[1]);
  return tags.filter((tag) => tag !== undefined).map(Number);
}

/** Whether an If-None-Match header names this version by weak comparison (RFC 9110, section 13.1.2). */
export function matchesIfNoneMatch(header: string | undefined, version: number): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etagOfVersion(version));
}
