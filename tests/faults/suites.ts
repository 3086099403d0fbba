import type { Result, ScenarioRun } from './scenario.ts';
import { runVitest } from './run-vitest.ts';

/** Every operation on a resource with an id, called by every kind of caller. */
export async function testAccess(): Promise<Result[]> {
  const { passed, failed } = await runVitest([
    'access-matrix',
    '--project',
    'postgres',
    '--project',
    'pglite',
  ]);
  return [
    {
      promise: "no caller reaches another user's data",
      engine: 'both',
      workload: `${passed} pairs of an operation and a caller`,
      lost: `${failed.length}`,
      recovery: '',
      target: 'the full matrix of the contract',
      violations: passed === 0 ? ['no pair was tested', ...failed] : failed,
      overBudget: [],
    },
  ];
}

/** Random requests generated from the contract. A passed test has sent its full number of requests. */
export async function testFuzz({ isShort }: ScenarioRun): Promise<Result[]> {
  const runs = isShort ? 40 : 600;
  const env = { FUZZ_RUNS: String(runs) };
  const { passed, failed } = await runVitest(['--project', 'fuzz'], env);
  // Half of the tests send requests without a token, a tenth as many.
  const requests = (passed / 2) * (runs + Math.ceil(runs / 10));
  const isEnough = isShort || requests >= 10_000;
  return [
    {
      promise: 'random input gets a documented response',
      engine: 'PGlite',
      workload: `${requests} random requests to ${passed / 2} operations`,
      lost: `${failed.length} operations`,
      recovery: '',
      target: 'at least 10,000 requests, no 5xx, nothing undocumented',
      violations: [...failed, ...(isEnough ? [] : [`only ${requests} requests passed`])],
      overBudget: [],
    },
  ];
}
