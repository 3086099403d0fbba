export interface Preference {
  /** How long to wait for the run; undefined where the request does not say. */
  readonly waitMs: number | undefined;
  /** The part of the header that this is from, for Preference-Applied. */
  readonly applied: string | undefined;
}

/** What a Prefer header (RFC 7240) says about waiting. With both of the preferences, the wait is the longer one. */
export function readPrefer(header: string | undefined): Preference {
  const preferences = (header ?? '').split(/[,;]/).map((each) => each.trim().toLowerCase());
  const seconds = preferences.map((each) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(each)?.[1]).find(Boolean);
  if (seconds !== undefined) return { waitMs: Number(seconds) * 1000, applied: `wait=${Number(seconds)}` };
  if (preferences.includes('respond-async')) return { waitMs: 0, applied: 'respond-async' };
  return { waitMs: undefined, applied: undefined };
}
