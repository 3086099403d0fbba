import type { KeyObject } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';

/** The key that verifies tokens, and the algorithms that are allowed for this kind of key. */
export interface VerifyingKey {
  readonly key: Uint8Array | KeyObject | JWTVerifyGetKey;
  readonly algorithms: readonly string[];
  /** The source of a key that is fetched from its issuer. */
  readonly remote?: RemoteKeys;
}

export interface RemoteKeys {
  /** The name of the source in messages: `the keys at JWKS_URL`. */
  readonly name: string;
  /** Fetches the keys if they are old. Rejects if the fetch fails and the last keys may not be used any more. */
  readonly check: () => Promise<void>;
  /** Returns true if the last fetch has failed. */
  readonly isDown: () => boolean;
  /** The time since the last successful fetch; infinite before the first. */
  readonly ageMs: () => number;
}
