/**
 * Returns true if a list of entity tags contains this one. Weak tags match too, although RFC 9110, section 13.1.1,
 * requires strong ones for If-Match: proxies that compress make tags weak, and no two versions have the same tag.
 */
export function matchesETag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
