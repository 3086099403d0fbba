import { ApiError, ConnectionError, TimeoutError } from './errors.ts';

const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const refusals: ReadonlySet<number> = new Set([408, 429]);
const backoffMinMs = 500;
const backoffMaxMs = 8_000;
const retryAfterMaxMs = 60_000;

interface Chance {
  /** From 0 up to 1. */
  readonly random: number;
  readonly nowMs: number;
}

/** How long to wait before the attempt after this failed one; undefined when another would not help. */
export function retryDelayMs(error: unknown, attempt: number, { random, nowMs }: Chance): number | undefined {
  if (!isTransient(error, attempt)) return undefined;
  const asked = error instanceof ApiError ? retryAfterMs(error.headers.get('Retry-After'), nowMs) : undefined;
  return asked ?? backoffMs(attempt, random);
}

/** Whether the server says that it has done nothing, so that another attempt meets what this one met. */
export function isRefusal(error: unknown): boolean {
  // A 503 of anything on the way may come after the server was reached.
  return error instanceof ApiError && (refusals.has(error.status) || error.code === 'Overloaded');
}

function isTransient(error: unknown, attempt: number): boolean {
  if (error instanceof ConnectionError) return true;
  if (error instanceof TimeoutError) return error.limit === 'attempt';
  if (!(error instanceof ApiError)) return false;
  // An earlier attempt of this very call may still be at work under the call's own key.
  const isOwnEcho = error.code === 'Request in progress' && attempt > 1;
  return retriedStatuses.has(error.status) || isOwnEcho;
}

/** Between half a second and a ceiling that doubles with each attempt, up to eight seconds. */
function backoffMs(attempt: number, random: number): number {
  const ceilingMs = Math.min(backoffMaxMs, backoffMinMs * 2 ** attempt);
  return backoffMinMs + random * (ceilingMs - backoffMinMs);
}

/** Seconds or a date (RFC 9110, section 10.2.3), at most a minute. */
function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMaxMs);
}
