import type { Engine } from '../support/databases.ts';
import type { Databases } from './databases.ts';
import type { Random } from './random.ts';

/** The result of testing one promise on one engine. */
export interface Result {
  readonly promise: string;
  readonly engine: Engine | 'none';
  readonly workload: string;
  /** Times and sizes for the report, such as the time of a recovery. */
  readonly measured: string;
  /** A message for each way in which the promise was broken; empty if it was kept. */
  readonly violations: readonly string[];
  /** Times and sizes over budget, possibly because the machine is busy. */
  readonly overBudget: readonly string[];
}

/** The options and resources for one run of a scenario. */
export interface ScenarioRun {
  /** True for fewer and shorter repetitions, as in CI. */
  readonly isShort: boolean;
  readonly random: Random;
  readonly databases: Databases;
  readonly reportProgress: (progress: string) => void;
}

export type Scenario = (run: ScenarioRun) => Promise<readonly Result[]>;

/** Returns a message if a measurement is over budget. */
export function overBudget(name: string, measured: number, max: number, unit: string): string[] {
  return measured <= max
    ? []
    : [`${name} ${Math.round(measured)} ${unit}, over the budget of ${max} ${unit}`];
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
