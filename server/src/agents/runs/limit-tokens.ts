import type { AgentsConfig } from '../../config/config.ts';
import { countInWindow } from '../../db/rate-limit-store.ts';
import type { Db } from '../../db/tables.ts';
import { Problem } from '../../errors.ts';
import { RuntimeFailure } from '../runtimes/runtime.ts';

type Limit = AgentsConfig['tokensPerUserMax'];

const windowMs = 86_400_000;
// A model server may report any number, and the sum must fit into an integer.
const stepTokensMax = 10_000_000;

/** Adds tokens to the user's count of the day, if tokens are limited. */
export async function countTokens(
  db: Db,
  { userId, max, tokens }: { userId: string; max: Limit; tokens: number },
): Promise<void> {
  if (max === undefined || tokens === 0) return;
  await countInWindow(db, keyOf(userId), { points: Math.min(tokens, stepTokensMax), windowMs });
}

/** Throws if the user may not start another run of a model today. */
export async function limitRunsByTokens(transaction: Db, userId: string, max: Limit): Promise<void> {
  const retryAfterS = await secondsUntilTokens(transaction, userId, max);
  if (retryAfterS > 0)
    throw new Problem(
      'Rate Limited',
      `You have used the ${max} tokens of models that this server allows in a day. Try again after the time in Retry-After.`,
      { retryAfterS },
    );
}

/** Throws if a run may not take another step of its model today. */
export async function limitStepsByTokens(db: Db, userId: string, max: Limit): Promise<void> {
  if ((await secondsUntilTokens(db, userId, max)) > 0)
    throw new RuntimeFailure(
      `The user has used the ${max} tokens of models that this server allows in a day.`,
      'token_limit',
    );
}

/** Seconds until the user may use tokens again; 0 if the limit is not reached. */
async function secondsUntilTokens(db: Db, userId: string, max: Limit): Promise<number> {
  if (max === undefined) return 0;
  const { points, leftMs } = await countInWindow(db, keyOf(userId), { points: 0, windowMs });
  return points < max ? 0 : Math.max(1, Math.ceil(leftMs / 1000));
}

function keyOf(userId: string): string {
  return `model-tokens:${userId}`;
}
