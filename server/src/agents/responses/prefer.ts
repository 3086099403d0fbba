export interface Preference {
  /** How long to wait for the run; undefined if the request has no preference. */
  readonly waitMs: number | undefined;
  /** The preference that is honoured, for the Preference-Applied header. */
  readonly applied: string | undefined;
}

// Proxies rarely allow a longer wait.
const waitMaxS = 600;

/** Reads `wait` and `respond-async` from a Prefer header (RFC 7240). If both are present, `wait` wins. */
export function readPrefer(header: string | undefined): Preference {
  const preferences = (header ?? '').split(/[,;]/).map((each) => each.trim().toLowerCase());
  const wanted = preferences.map((each) => /^wait\s*=\s*"?(\d{1,9})"?$/.exec(each)?.[1]).find(Boolean);
  const seconds = Math.min(Number(wanted ?? 0), waitMaxS);
  if (wanted !== undefined) return { waitMs: seconds * 1000, applied: `wait=${seconds}` };
  if (preferences.includes('respond-async')) return { waitMs: 0, applied: 'respond-async' };
  return { waitMs: undefined, applied: undefined };
}
