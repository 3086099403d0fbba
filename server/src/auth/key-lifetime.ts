// A key that its issuer withdraws keeps working for at most the sum of these, 5 minutes: the answer with the key set is
// on its way, the key set is used until it is too old, and the last token that it verified is remembered.
export const keySetTimeoutMs = 5_000;
export const keySetMaxAgeMs = 55_000;
export const verifiedTokenMaxAgeMs = 4 * 60_000;
