/**
 * Returns true if a list of tags names this one. A weak form of the tag counts, because proxies that compress make tags
 * weak, and no two versions have tags that differ only in this. RFC 9110, section 13.1.1, requires strong tags in
 * If-Match.
 */
export function matchesETag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
