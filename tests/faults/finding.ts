import type { Chance } from './chance.ts';
import type { Databases, Engine } from './databases.ts';

/** What came of trying one promise on one engine. */
export interface Finding {
  readonly promise: string;
  readonly engine: Engine | 'both' | 'none';
  readonly tried: string;
  readonly lost: string;
  readonly recovery: string;
  readonly figure: string;
  /** How the promise was broken. Empty when it was held. */
  readonly broken: readonly string[];
  /** Times and sizes that are beyond the figure; a busy machine may be the reason. */
  readonly beyond: readonly string[];
}

/** What a row is tried with. */
export interface Trial {
  /** Fewer and shorter tries, for every change that lands. */
  readonly isShort: boolean;
  readonly chance: Chance;
  readonly databases: Databases;
  /** Tells who waits how far the row is. */
  readonly say: (progress: string) => void;
}

/** Tries one promise. */
export type Row = (trial: Trial) => Promise<readonly Finding[]>;

/** A sentence when a measure is above what it should be at most. */
export function above(what: string, measure: number, max: number, unit: string): string[] {
  return measure <= max ? [] : [`${what} ${Math.round(measure)} ${unit}, not ${max} ${unit}`];
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, two) => one - two);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
