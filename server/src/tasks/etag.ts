/**
 * Whether a list of tags names this one. The weak form of a tag counts, also in If-Match (other than RFC 9110, section
 * 13.1.1, has it), because proxies that compress make tags weak, and no two versions have tags that differ only in this.
 */
export function matchesETag(header: string, etag: string): boolean {
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}
