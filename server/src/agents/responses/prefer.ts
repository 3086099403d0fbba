export interface Preference {
  /** How long to wait for the run; undefined where the request does not say. */
  readonly waitMs: number | undefined;
  /** The part of the header that this is from, for Preference-Applied. */
  readonly applied: string | undefined;
}

// Nobody should hold a connection for longer; proxies do not let them either.
const waitMaxS = 600;

/** What a Prefer header (RFC 7240) says about waiting. With both of the preferences, the wait is the longer one. */
export function readPrefer(header: string | undefined): Preference {
  const preferences = (header ?? '').split(/[,;]/).map((each) => each.trim().toLowerCase());
  const wanted = preferences.map((each) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(each)?.[1]).find(Boolean);
  const seconds = Math.min(Number(wanted ?? 0), waitMaxS);
  if (wanted !== undefined) return { waitMs: seconds * 1000, applied: `wait=${seconds}` };
  if (preferences.includes('respond-async')) return { waitMs: 0, applied: 'respond-async' };
  return { waitMs: undefined, applied: undefined };
}
