import type { AgentsConfig } from '../../config/config.ts';
import { countInWindow } from '../../db/rate-limit-store.ts';
import type { Db } from '../../db/tables.ts';

const windowMs = 86_400_000;
// A model server may report any number, and the sum must fit into an integer.
const stepTokensMax = 10_000_000;

/**
 * Adds tokens to the user's count of the day, if tokens are limited. Resolves to the seconds until the user may use
 * tokens again; 0 if the limit is not reached.
 */
export async function countTokens(
  db: Db,
  userId: string,
  max: AgentsConfig['tokensPerUserMax'],
  tokens = 0,
): Promise<number> {
  if (max === undefined) return 0;
  const added = { points: Math.min(tokens, stepTokensMax), windowMs };
  const { points, leftMs } = await countInWindow(db, `model-tokens:${userId}`, added);
  return points < max ? 0 : Math.max(1, Math.ceil(leftMs / 1000));
}
