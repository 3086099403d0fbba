import type { Problem } from '../../errors.ts';

/**
 * The challenge that says how to authenticate (RFC 6750, section 3). A 401 has errors if the request sent a token, and
 * none if it did not.
 */
export function challengeOf({ errors, message }: Problem, parameters: readonly string[] = []): string {
  // A description has neither quotes nor backslashes.
  const description = message.replaceAll(/["\\]/g, "'");
  const error = errors && ['error="invalid_token"', `error_description="${description}"`];
  return ['Bearer', [...(error ?? []), ...parameters].join(', ')].join(' ').trim();
}
