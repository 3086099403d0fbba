import type { Finding, Trial } from './finding.ts';
import { runVitest } from './vitest-run.ts';

/** Every operation on something with an id, and everybody who may or may not reach it. */
export async function tryAccess(): Promise<Finding[]> {
  const { passed, failed } = await runVitest([
    'access-matrix',
    '--project',
    'postgres',
    '--project',
    'pglite',
  ]);
  return [
    {
      promise: "nobody reaches another's data",
      engine: 'both',
      tried: `${passed} pairs of an operation and a caller`,
      lost: `${failed.length}`,
      recovery: '',
      figure: 'the full matrix of the contract',
      broken: passed === 0 ? ['no pair was tried', ...failed] : failed,
      beyond: [],
    },
  ];
}

/** Random requests made from the contract. Each passed test has sent its full number of them. */
export async function tryFuzz({ isShort }: Trial): Promise<Finding[]> {
  const runs = isShort ? 40 : 600;
  const env = { FUZZ_RUNS: String(runs) };
  const { passed, failed } = await runVitest(['--project', 'fuzz'], env);
  // Half of the tests are those without a token, which try a tenth.
  const requests = (passed / 2) * (runs + Math.ceil(runs / 10));
  const isEnough = isShort || requests >= 10_000;
  return [
    {
      promise: 'bad input is an answer',
      engine: 'PGlite',
      tried: `${requests} random requests to ${passed / 2} operations`,
      lost: `${failed.length} operations`,
      recovery: '',
      figure: 'at least 10,000 requests, no 5xx, nothing undocumented',
      broken: [...failed, ...(isEnough ? [] : [`only ${requests} requests passed`])],
      beyond: [],
    },
  ];
}
