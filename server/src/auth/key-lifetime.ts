// A key that its issuer withdraws is accepted for at most the sum of these, 5 minutes: the fetch of the key set may take
// the timeout, the key set is cached, and so is the last token that it verified.
export const keySetTimeoutMs = 5_000;
export const keySetMaxAgeMs = 55_000;
export const verifiedTokenMaxAgeMs = 4 * 60_000;
