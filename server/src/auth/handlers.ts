import type { RateLimitConfig } from '../config/config.ts';
import type { Handler } from '../contract/operation.ts';

export interface CallerServices {
  readonly rateLimits: RateLimitConfig;
}

export const getMe: Handler<'getMe', CallerServices> = (
  { caller: { id, name, tokenExpiresAtMs } },
  { rateLimits: { requestsPerCaller, runsPerCaller, runsPerAgent } },
) => {
  const limits_per_minute = {
    requests: maximumOf(requestsPerCaller),
    runs: maximumOf(runsPerCaller),
    runs_per_agent: maximumOf(runsPerAgent),
  };
  const token_expires_at =
    tokenExpiresAtMs === undefined ? null : new Date(Math.min(tokenExpiresAtMs, lastMs)).toISOString();
  return { status: 200, body: { id, name, token_expires_at, limits_per_minute } };
};

/** 0 means no limit. */
function maximumOf(limit: number): number | null {
  return limit === 0 ? null : limit;
}

// The expiry of a token may exceed the last year of a timestamp.
const lastMs = Date.UTC(9999, 11, 31);
