import type { Schemas } from '../../operation.ts';
import type { AgentServices } from '../services.ts';
import { assertLease, type LeasedRun } from './lease.ts';
import { integerMax } from '../../db/integer.ts';

/**
 * Lets a run wait until the user has decided about tool calls. It then occupies no worker, and its time limit is suspended.
 * The tool calls are those in its log, so it comes to the same point after a crash.
 */
export async function pauseRun(
  { transact }: AgentServices,
  run: LeasedRun,
  requiredAction: Schemas['RequiredAction'],
): Promise<void> {
  const elapsedMs = Math.round(run.elapsedMs + performance.now() - run.leasedMs);
  const values = [
    run.userId,
    run.id,
    JSON.stringify(requiredAction),
    Math.min(elapsedMs, integerMax),
    run.attempt,
  ];
  await transact([assertLease(run), { text: setWaiting, values }]);
}

const setWaiting = `
  update runs
  set status = 'requires_action', required_action = $3, elapsed_ms = $4, started_at = null, paused_attempt = $5
  where user_id = $1 and id = $2`;
