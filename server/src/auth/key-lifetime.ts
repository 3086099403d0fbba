// After its issuer withdraws a key, the key is accepted for at most the sum of these times, 5 minutes: the timeout of a
// request for the key set, the time that the key set is cached, and the time that a verified token is cached.
export const keySetTimeoutMs = 5_000;
export const keySetMaxAgeMs = 55_000;
export const verifiedTokenMaxAgeMs = 4 * 60_000;
