import type { Problem } from '../../errors.ts';

/** How to authenticate (RFC 6750, section 3). The errors of a 401 concern a token; without them, none was sent. */
export function challengeOf({ errors, message }: Problem, parameters: readonly string[] = []): string {
  // A description has neither quotes nor backslashes.
  const description = message.replaceAll(/["\\]/g, "'");
  const error = errors && ['error="invalid_token"', `error_description="${description}"`];
  return ['Bearer', [...(error ?? []), ...parameters].join(', ')].join(' ').trim();
}
