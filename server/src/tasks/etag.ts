/**
 * Returns true if a list of tags contains this tag. A weak form of the tag counts too, although RFC 9110, section
 * 13.1.1, requires strong tags in If-Match: proxies that compress make tags weak, and the tags of two versions never
 * differ only in this.
 */
export function matchesETag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
